// The cost of one test: read from the service's own ledger and from the phone it texts.

/** Counted since the books were opened. */
export type Account = {
  /** Reports that were paid for. */
  reports: number
  /** Credits set aside for a report that has neither come nor failed. */
  openHolds: number
  /** Texts that were paid for. */
  texts: number
}

export type Books = {
  /** A number that no other test uses. */
  mobileNumber: string
  read(): Promise<Account>
  /** The code in the newest text to the number; waits for a text. */
  newestCode(): Promise<string>
  /** The number of texts that the number has received. Forgotten when the service restarts; the ledger is not. */
  countTexts(): Promise<number>
}

type Line = { id: string; kind: string; purpose: string; holdId?: string }
type Text = { to: string; body: string }

const LINES_MAX = 200
const TENANT = 'demo-lender'
/** Numbers set aside for made-up people: 07700 900000 to 900999. */
const FIRST_NUMBER = 7_700_900_000
const NUMBERS = 1_000

let opened = 0

export async function openBooks(service: string, waitFor: WaitFor): Promise<Books> {
  const mobileNumber = `0${FIRST_NUMBER + (opened++ % NUMBERS)}`
  const to = `+44${mobileNumber.slice(1)}`
  const authorization = `Bearer ${await getToken(service)}`

  async function listLines(): Promise<Line[]> {
    const address = `${service}/${TENANT}/v1/wallet/lines?limit=${LINES_MAX}`
    return (await (await fetch(address, { headers: { authorization } })).json()).data.lines
  }
  const [newest] = await listLines()

  async function listTexts(): Promise<Text[]> {
    const texts: Text[] = await (await fetch(`${service}/demo/sms`, { headers: { authorization } })).json()
    return texts.filter((text) => text.to === to)
  }

  return {
    mobileNumber,
    async read() {
      const lines = await listLines()
      const before = lines.findIndex(({ id }) => id === newest?.id)
      const since = lines.slice(0, before < 0 ? lines.length : before)
      // A hold of an earlier test may be captured or released only now.
      const endOf = ({ id }: Line) => since.find(({ holdId }) => holdId === id)?.kind ?? 'open'
      const count = (purpose: string, end: string) =>
        since.filter((line) => line.kind === 'hold' && line.purpose === purpose && endOf(line) === end).length
      return {
        reports: count('report', 'capture'),
        openHolds: count('report', 'open'),
        texts: count('text', 'capture'),
      }
    },
    async newestCode() {
      await waitFor(async () => (await listTexts()).length > 0)
      const [text] = await listTexts()
      return /\b\d{6}\b/.exec(text?.body ?? '')?.[0] ?? ''
    },
    countTexts: async () => (await listTexts()).length,
  }
}

/** Resolves once `isSo` does to true. */
type WaitFor = (isSo: () => Promise<boolean>) => Promise<void>

async function getToken(service: string): Promise<string> {
  const response = await fetch(`${service}/v1/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${TENANT}:demo-secret`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return (await response.json()).access_token
}
