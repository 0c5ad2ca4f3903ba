import { createSSRApp } from 'vue'
import App from './app.vue'

export const createApp = () => createSSRApp(App)
