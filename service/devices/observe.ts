// Compares the request with the signals. The browser only collects; contradictions are found here,
// and what to do about it is for the risk provider. Bots get the same answer as people: no oracle to train against.
import { type Signals, UNREADABLE } from './signals.ts'

type Oddity = (signals: Signals, headers: Headers) => boolean

/** Each oddity and how it shows. None is proof: people do strange things to their browsers. */
const ODDITIES: { [name: string]: Oddity } = {
  automated: ({ webdriver }) => webdriver === 'true',
  headless: (_, headers) => /headless/i.test(agentOf(headers)),
  'no-agent': (_, headers) => agentOf(headers) === '',
  'no-window': ({ window }) => window === '0,0',
  // A browser that says Chrome but prints functions as another engine does, or the other way round.
  'other-engine': ({ engine }, headers) =>
    isSaid(engine) && / Chrome\//.test(agentOf(headers)) !== (engine.split(',')[0] === CHROMIUM_FUNCTION_LENGTH),
  'other-platform': ({ platform }, headers) => differ(platform?.split(',')[1], headers.get('Sec-CH-UA-Platform')),
  'other-language': ({ languages }, headers) =>
    differ(languages?.split(',')[0], headers.get('Accept-Language')?.split(/[,;]/)[0]),
  // Every Chromium says how a request came about; a script that only borrows its name rarely does.
  'not-a-page': (_, headers) => / Chrome\//.test(agentOf(headers)) && headers.get('Sec-Fetch-Mode') === null,
}

/** The names of the oddities, in alphabetical order. */
export function observe(signals: Signals, headers: Headers): string[] {
  return Object.keys(ODDITIES)
    .filter((name) => ODDITIES[name]?.(signals, headers))
    .sort()
}

/** `function Function() { [native code] }` */
const CHROMIUM_FUNCTION_LENGTH = '37'

function agentOf(headers: Headers): string {
  return headers.get('User-Agent') ?? ''
}

function isSaid(value: string | undefined): value is string {
  return value !== undefined && value !== UNREADABLE
}

/** Only where both sides speak: a missing header is the browser's choice. */
function differ(said: string | undefined, header: string | null | undefined): boolean {
  const heard = header?.replace(/"/g, '')
  return isSaid(said) && said !== '' && Boolean(heard) && said.toLowerCase() !== heard?.toLowerCase()
}
