import './preview.css'
import type { JSX } from 'preact'
import { render } from 'preact'
import { CopyButton } from './parts/copy-button.tsx'
import { Knobs } from './parts/knobs.tsx'
import { Matrix } from './parts/matrix.tsx'
import { Panels } from './parts/panels.tsx'
import { ScenarioPicker } from './parts/scenario-picker.tsx'
import { Stage } from './parts/stage.tsx'
import { ThemeKnobs } from './parts/theme-knobs.tsx'
import { change, listenToTraffic, settings } from './state.ts'

listenToTraffic()
render(<App />, document.body)

function App(): JSX.Element {
  const isMatrix = settings.value.view === 'all'
  return (
    <>
      <button type="button" class="skip" onClick={() => document.querySelector('main')?.focus()}>
        Skip to the flow
      </button>
      <Top isMatrix={isMatrix} />
      {isMatrix ? (
        <Matrix />
      ) : (
        <div class="workbench">
          <aside class="choices" aria-label="What to show">
            <ScenarioPicker />
            <Knobs />
            <ThemeKnobs />
          </aside>
          <Stage />
          <Panels />
        </div>
      )}
    </>
  )
}

function Top({ isMatrix }: { isMatrix: boolean }): JSX.Element {
  return (
    <header class="top">
      <h1>
        <a class="brand" href="/preview">
          {document.body.dataset.product}
        </a>
        Preview
      </h1>
      <nav class="views" aria-label="View">
        <button type="button" aria-pressed={!isMatrix} onClick={() => change({ view: 'stage' })}>
          One flow
        </button>
        <button type="button" aria-pressed={isMatrix} onClick={() => change({ view: 'all' })}>
          Every flow
        </button>
      </nav>
      <nav class="places" aria-label="Elsewhere">
        <a href="/">Shop</a>
        <a href={`${document.body.dataset.service}/docs`}>API reference</a>
        <a href={`${document.body.dataset.service}/console`}>Console</a>
        <CopyButton text={() => location.href}>Copy link</CopyButton>
      </nav>
    </header>
  )
}
