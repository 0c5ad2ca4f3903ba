import { expect, test } from 'vitest'
import { observe } from './observe.ts'

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
const SAFARI = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15'

const signals = {
  webdriver: 'false',
  window: '1280,800',
  engine: '37,-4.987183803371025',
  platform: 'Linux x86_64,Linux',
  languages: 'en-GB,en',
}
const headers = {
  'User-Agent': CHROME,
  'Sec-CH-UA-Platform': '"Linux"',
  'Accept-Language': 'en-GB,en;q=0.9',
  'Sec-Fetch-Mode': 'cors',
}

test.each([
  ['an ordinary Chrome', signals, headers, []],
  ['a driven browser', { ...signals, webdriver: 'true' }, headers, ['automated']],
  [
    'a headless one',
    signals,
    { ...headers, 'User-Agent': CHROME.replace('Chrome/', 'HeadlessChrome/ Chrome/') },
    ['headless'],
  ],
  ['a browser without a window', { ...signals, window: '0,0' }, headers, ['no-window']],
  ['another engine under the name of Chrome', { ...signals, engine: '42,0' }, headers, ['other-engine']],
  ['Chrome under the name of Safari', signals, { ...headers, 'User-Agent': SAFARI }, ['other-engine']],
  ['Safari', { ...signals, engine: '42,0', platform: 'MacIntel,' }, { 'User-Agent': SAFARI }, []],
  ['two platforms', signals, { ...headers, 'Sec-CH-UA-Platform': '"Windows"' }, ['other-platform']],
  ['two languages', signals, { ...headers, 'Accept-Language': 'ru,en;q=0.5' }, ['other-language']],
  ['one language in other letters', { ...signals, languages: 'EN-gb' }, headers, []],
  ['a language that the header does not say', signals, { ...headers, 'Accept-Language': '' }, []],
  ['a language that only the header says', { ...signals, languages: '' }, headers, []],
  ['a platform that only the header says', { ...signals, platform: 'Linux x86_64,' }, headers, []],
  ['a platform without its second half', { ...signals, platform: 'Linux x86_64' }, headers, []],
  ['an agent that is empty', signals, { ...headers, 'User-Agent': '' }, ['no-agent', 'other-engine']],
  ['a program that borrowed a name', {}, { 'User-Agent': CHROME }, ['not-a-page']],
  ['a program without a name', {}, {}, ['no-agent']],
  [
    'a browser that refuses to say anything',
    { ...signals, engine: '!', platform: '!', languages: '!', window: '!' },
    headers,
    [],
  ],
  ['everything at once', { webdriver: 'true', window: '0,0' }, {}, ['automated', 'no-agent', 'no-window']],
])('%s', (_what, seen, sent, oddities) => {
  expect(observe(seen, new Headers(sent))).toEqual(oddities)
})
