import './preview.css'
import type { JSX } from 'preact'
import { render } from 'preact'
import { CopyButton } from './parts/copy-button.tsx'
import { Knobs } from './parts/knobs.tsx'
import { Panels } from './parts/panels.tsx'
import { ScenarioPicker } from './parts/scenario-picker.tsx'
import { Stage } from './parts/stage.tsx'
import { ThemeKnobs } from './parts/theme-knobs.tsx'
import { listenToTraffic } from './state.ts'

listenToTraffic()
render(<App />, document.body)

function App(): JSX.Element {
  return (
    <>
      <button type="button" class="skip" onClick={() => document.querySelector('main')?.focus()}>
        Skip to the flow
      </button>
      <Top />
      <div class="workbench">
        <aside class="choices" aria-label="Choices">
          <ScenarioPicker />
          <Knobs />
          <ThemeKnobs />
        </aside>
        <Stage />
        <Panels />
      </div>
    </>
  )
}

function Top(): JSX.Element {
  return (
    <header class="top">
      <h1>
        <a class="brand" href="/preview">
          {document.body.dataset.product}
        </a>
        Preview
      </h1>
      <nav class="places" aria-label="Elsewhere">
        <a href="/">Shop</a>
        <a href={`${document.body.dataset.service}/docs`}>API reference</a>
        <a href={`${document.body.dataset.service}/console`}>Console</a>
        <CopyButton text={() => location.href}>Copy link</CopyButton>
      </nav>
    </header>
  )
}
