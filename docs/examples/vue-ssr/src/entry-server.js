import { renderToString } from 'vue/server-renderer'
import { createApp } from './create-app.js'

export const render = () => renderToString(createApp())
