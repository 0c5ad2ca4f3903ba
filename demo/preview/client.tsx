import './preview.css'
import { render } from 'preact'
import { App } from './parts/app.tsx'
import { listenToTraffic } from './state.ts'

listenToTraffic()
render(<App />, document.body)
