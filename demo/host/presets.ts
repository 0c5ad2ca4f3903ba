/** The kinds of page a widget finds itself on. */
export const PRESETS = {
  plain: { title: 'Plain page', sheets: [], isStrict: false },
  bootstrap: { title: 'Bootstrap', sheets: ['/vendor/bootstrap.css'], isStrict: false },
  tailwind: { title: 'Tailwind preflight', sheets: ['/vendor/tailwind-preflight.css'], isStrict: false },
  hostile: { title: 'Hostile CSS', sheets: ['/preview/hostile.css'], isStrict: false },
  strict: { title: 'Strict policy, Trusted Types', sheets: [], isStrict: true },
} as const

export type Preset = keyof typeof PRESETS

export function isPreset(name: string): name is Preset {
  return Object.hasOwn(PRESETS, name)
}
