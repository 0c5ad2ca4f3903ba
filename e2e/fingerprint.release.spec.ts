// The fingerprint script on pages that make its life hard, in Chromium, which tells everything a page complains about.
import { expect } from '@playwright/test'
import { hostilePages } from './fingerprint-pages/hostile-pages.ts'
import { meetHostilePage } from './fingerprint-pages/open-hostile-page.ts'
import { listenTo } from './fingerprint-pages/page.ts'
import { test } from './fingerprint-pages/stage.ts'

for (const row of hostilePages) {
  test(row.name, async ({ page, scene, stage }) => {
    const heard = listenTo(page)
    await meetHostilePage(page, row, { scene, stage })
    expect(heard.filter((message) => !row.errors?.test(message))).toEqual([])
  })
}
