import type { JSX } from 'preact'
import { change, settings } from '../state.ts'
import { CopyButton } from './copy-button.tsx'
import { Knobs } from './knobs.tsx'
import { Matrix } from './matrix.tsx'
import { Panels } from './panels.tsx'
import { ScenarioPicker } from './scenario-picker.tsx'
import { Stage } from './stage.tsx'
import { ThemeKnobs } from './theme-knobs.tsx'

export function App(): JSX.Element {
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
