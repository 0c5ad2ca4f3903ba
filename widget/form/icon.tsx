// Drawn on a 24-pixel grid, stroked in the colour of the text around them.
const paths = {
  alert: 'M12 8v5m0 3.5v.01M12 3 2.5 20h19z',
  done: 'M5 12.5l4.5 4.5L19 7.5',
  stop: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 5v5m0 3v.01',
  lock: 'M6 11h12v9H6zm2.5 0V8a3.5 3.5 0 0 1 7 0v3',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 4.5V12l3 2',
}

export type IconName = keyof typeof paths

/** Decoration: the words beside it say the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
