// The rules of a person's name. Names stand in mails of ours to strangers, so they carry no address.
import * as z from 'zod/mini'
import { isSeen, requiredString } from '../../contract/bounded-string.ts'

export const PERSON_NAME_LENGTH_MAX = 60

const LETTER = /\p{L}/u
// A scheme, an e-mail address, or a dot with letters after it: mail programs turn these into links.
const ADDRESS = /:\/\/|@|[.\u3002]\p{L}{2}/u

export const PersonName = requiredString(PERSON_NAME_LENGTH_MAX).check(
  isSeen,
  z.refine((name) => LETTER.test(name), 'must have letters'),
  // Compatibility forms, such as a full-width full stop, are links too.
  z.refine((name) => !ADDRESS.test(name.normalize('NFKC')), 'must not contain an address of the web or of e-mail'),
)
