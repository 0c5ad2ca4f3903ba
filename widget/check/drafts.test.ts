// @vitest-environment happy-dom
// Drafts: the typed values of a form that is not sent yet, stored and restored.
import { describe, expect, test } from 'vitest'
import {
  type Asked,
  at,
  beginSessions,
  challenged,
  meta,
  next,
  none,
  screen,
  sessionIdOf,
  settled,
  start,
  today,
} from '../../testing/answered-session.ts'

beginSessions()

describe('drafts', () => {
  const DRAFT = '/credit-reports/draft'
  const CURRENT = '/credit-reports/current'
  const draft = {
    id: 'd1',
    step: 'answers',
    index: 0,
    person: { firstName: 'Sam', lastName: 'Patel', day: '27', month: '3', year: '1985', mobileNumber: '07700900123' },
    addresses: [{ buildingNumber: '10', townOrCity: 'Leeds', postcode: 'LS1 4AP' }],
    abroadBefore: false,
    about: '',
  }
  const kept = () => at.asked.filter(({ path }) => path === DRAFT)
  const sent = () => at.asked.filter(({ path, method }) => path === '/credit-reports' && method === 'POST')
  const withDraft = (value: unknown, data: object = none.data) => ({ meta: { ...meta, draft: value }, data })

  /** The page anew, in the same tab. */
  async function load(answer: unknown, change: Parameters<typeof start>[0] = {}): Promise<void> {
    at.session.end()
    at.session = start(change)
    at.session.begin()
    ;(await next(CURRENT)).answer(answer)
    await settled()
  }

  test('a step that was completed is kept, with the tab’s secret; an untouched form is not', async () => {
    await load(withDraft(null))
    expect(kept()).toEqual([])
    at.session.send({ type: 'details', typed: draft.person, today })
    await settled()
    expect(kept()).toMatchObject([{ method: 'POST', tab: expect.stringMatching(/^[0-9a-f]{32}$/) }])
    expect(kept()[0]?.body).toMatchObject({ step: 'address', index: 0, person: draft.person, addresses: [] })
    expect(Object.keys(kept()[0]?.body ?? {})).not.toContain('consent')
  })

  test.each([
    ['a server that keeps none', none, {}],
    ['a page that says `drafts="off"`', withDraft(null), { keepsDrafts: false }],
  ])('nothing is sent to %s', async (_who, answer, change) => {
    await load(answer, change)
    at.session.send({ type: 'details', typed: draft.person, today })
    await settled()
    expect(kept()).toEqual([])
  })

  test('what comes back is shown and not sent again; "Start again" drops it', async () => {
    await load(withDraft(draft))
    expect(screen().name).toBe('answers')
    expect(kept()).toEqual([])
    at.session.send({ type: 'start-again' })
    await settled()
    expect(kept()).toMatchObject([{ method: 'DELETE', body: {} }])
  })

  test('what is about another person than the page knows is dropped, unseen', async () => {
    await load(withDraft({ ...draft, about: 'Byron 1990 12 10' }), {
      prefill: { lastName: 'Patel', dateOfBirth: '1985-03-27' },
    })
    expect(screen().name).toBe('details')
    expect(kept()).toMatchObject([{ method: 'DELETE' }])
  })

  test('what was typed in an input is kept when the page is hidden, and once', async () => {
    await load(withDraft(null))
    const root = document.createElement('div').attachShadow({ mode: 'open' })
    const ended = new AbortController()
    at.session.check.value?.attend(root, ended.signal)
    root.innerHTML = '<form><input name="firstName" value="Sa"><input name="consent" value="on"></form>'
    for (const type of ['pagehide', 'pagehide']) window.dispatchEvent(new Event(type))
    await settled()
    expect(kept().map(({ body }) => body.person)).toEqual([{ firstName: 'Sa' }])
    ended.abort()
  })

  test('with an open code it fills the form behind it', async () => {
    await load(withDraft(draft, challenged.data))
    expect(screen().name).toBe('code')
    expect(at.session.flow.value.answers.person).toEqual(draft.person)
  })

  describe('of a page that is reloaded while the details are checked', () => {
    /** As far as the request, which is never answered. */
    async function leave(change: Parameters<typeof start>[0] = {}): Promise<{ first: Asked; saved: unknown }> {
      await load(withDraft(null), change)
      at.session.send({ type: 'details', typed: draft.person, today })
      at.session.send({ type: 'address', typed: draft.addresses[0] ?? {}, today })
      await settled()
      const saved = kept().at(-1)
      for (const each of kept()) each.answer(null)
      at.session.send({ type: 'submit', agreed: true, shown: 'words' })
      const first = await next('/credit-reports')
      at.asked = []
      return { first, saved: saved?.body }
    }

    test('the same request is sent under the same key, with the same consent and start', async () => {
      const { first, saved } = await leave({ start: 'start-1' })
      at.session.end()
      at.session = start({ start: 'start-2' })
      at.session.begin()
      const current = await next(CURRENT)
      expect([screen().name, at.session.flow.value.isResumed, current.start]).toEqual(['sending', true, 'start-2'])
      sessionIdOf('session-2')
      current.answer(withDraft(saved))
      const again = await next('/credit-reports')
      expect([again.key, again.start]).toEqual([first.key, 'start-1'])
      expect(again.body).toEqual({ ...first.body, sessionId: 'session-2' })
      again.answer(challenged)
      await settled()
      expect(screen().name).toBe('code')
      await load(withDraft(saved))
      expect([screen().name, sent()]).toEqual(['answers', []])
    })

    test('another draft than the one that was sent is only shown', async () => {
      const { saved } = await leave()
      await load(withDraft({ ...Object(saved), id: 'another' }))
      expect([screen().name, sent()]).toEqual(['answers', []])
      await load(withDraft(saved))
      expect([screen().name, sent()]).toEqual(['answers', []])
    })

    test('without a draft there is the form, or the check that the server knows of', async () => {
      await leave()
      await load(withDraft(null))
      expect([screen().name, sent()]).toEqual(['details', []])
      await leave()
      await load(withDraft(null, challenged.data))
      expect([screen().name, sent()]).toEqual(['code', []])
    })

    test('details that the server did not keep are not sent by themselves', async () => {
      await load(withDraft(null))
      at.session.send({ type: 'details', typed: draft.person, today })
      at.session.send({ type: 'address', typed: draft.addresses[0] ?? {}, today })
      await settled()
      for (const each of kept()) each.answer(null, 500)
      at.session.send({ type: 'submit', agreed: true, shown: 'words' })
      await settled()
      for (const each of kept()) each.answer(null, 500)
      await next('/credit-reports')
      at.asked = []
      await load(withDraft(draft))
      expect([screen().name, sent()]).toEqual(['answers', []])
    })

    test('a line that is down then is tried again on demand', async () => {
      const { first, saved } = await leave()
      at.session.end()
      at.session = start()
      at.session.begin()
      ;(await next(CURRENT)).answer({ code: 'rate-limited', message: 'x' }, 429)
      await settled()
      expect(screen().name).toBe('trouble')
      at.session.send({ type: 'again' })
      ;(await next(CURRENT)).answer(withDraft(saved))
      expect((await next('/credit-reports')).key).toBe(first.key)
    })
  })
})
