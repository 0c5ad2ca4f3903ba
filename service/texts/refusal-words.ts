import type { TextRefusal } from '../../contract/stats.ts'

/** Why a text did not arrive, for the lender's staff. */
export const REFUSAL_WORDS: { readonly [reason in TextRefusal]: string } = {
  sender: 'the network refused the sender’s name',
  number: 'the number takes no texts',
  unreachable: 'the phone could not be reached',
  blocked: 'the network’s filter stopped it',
  other: 'the gateway refused it',
}
