// What a person may call themselves. Names stand in mails of ours to strangers, so they carry no address.
import * as z from 'zod/mini'
import { requiredString } from '../../contract/bounded-string.ts'

export const PERSON_NAME_LENGTH_MAX = 60

const LETTER = /\p{L}/u
// Blank characters and those that fonts do not draw: braille blank, Khmer inherent vowels, null note head.
const UNSEEN = /[\p{Co}\p{Variation_Selector}\u2800\u17b4\u17b5\u{1d159}]/u
// A scheme, an e-mail address, or a dot with letters after it: mail programs turn these into links.
const ADDRESS = /:\/\/|@|[.\u3002]\p{L}{2}/u

export const PersonName = requiredString(PERSON_NAME_LENGTH_MAX).check(
  z.refine((name) => LETTER.test(name) && !UNSEEN.test(name), 'must have letters, and no character that is not seen'),
  // Compatibility forms, such as a full-width full stop, are links too.
  z.refine((name) => !ADDRESS.test(name.normalize('NFKC')), 'must not contain an address of the web or of e-mail'),
)
