// Every screen of the accessibility table on a phone and a desktop, in light and dark, and on a phone in Welsh: to be
// looked at, in dist/screens.

import { speak, test } from '../widget-pages/stage.ts'
import { groups } from './screens.ts'

const FOLDER = 'dist/screens'
const SIZES = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1100, height: 900 },
}
const PAGE = '<style>html { color-scheme: light dark } body { margin: 0; padding: 16px } h1 { display: none }</style>'

for (const [size, viewport] of Object.entries(SIZES))
  for (const { name: group, open, visits } of groups)
    test(`${group}, ${size}`, async ({ consumer, standIn, page }) => {
      await page.setViewportSize(viewport)
      await consumer.open({ head: PAGE, ...open })
      for (const { name, go } of visits) {
        await go({ consumer, standIn, page })
        const take = (kind: string) => {
          const path = `${FOLDER}/${name.replaceAll(' ', '-')}-${size}-${kind}.png`
          return page.screenshot({ path, fullPage: true, animations: 'disabled' })
        }
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme })
          await take(colorScheme)
        }
        if (size !== 'phone') continue
        await speak(consumer, 'cy')
        await take('welsh')
        await speak(consumer, 'en-GB')
      }
    })
