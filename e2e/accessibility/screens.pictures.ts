// Every screen of the accessibility table on a phone and a desktop, in light and dark: to be looked at, in dist/screens.

import { test } from '../widget-pages/stage.ts'
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
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await consumer.open({ head: PAGE, ...open })
      for (const { name, go } of visits) {
        await go({ consumer, standIn, page })
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          const file = `${name.replaceAll(' ', '-')}-${size}-${colorScheme}.png`
          // The report is long: its first screen is what matters, the rest is drawn below it.
          await page.screenshot({ path: `${FOLDER}/${file}`, fullPage: true, animations: 'disabled' })
        }
      }
    })
