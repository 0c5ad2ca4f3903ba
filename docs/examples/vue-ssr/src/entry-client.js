import { createApp } from './create-app.js'

createApp().mount('#app')
