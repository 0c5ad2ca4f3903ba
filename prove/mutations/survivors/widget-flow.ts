import type { Survivors } from './survivor.ts'

export const widgetFlow: Survivors = {
  'widget/flow/form-steps.ts': [
    {
      source:
        'const isEnough = whole.length > 0 && (abroadBefore || !needsOlderAddress(whole, today, flow.historyMonths))',
      change: '> → >=',
      why: 'Without a whole address an older one is needed, unless no history is asked for; then none of them can become wrong later.',
    },
  ],
}
