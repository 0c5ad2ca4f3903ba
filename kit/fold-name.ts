import { NAME_LENGTH_MAX } from '../contract/limits.ts'

/** Letters that no decomposition reduces to plain ones, as people write them on another keyboard. */
const PLAIN: { [letter: string]: string } = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}

/**
 * The bare letters and digits: `Ní Dhomhnaill`, `NI DHOMHNAILL` and `ní-dhomhnaill` are one name, and so are `Weiß` and
 * `Weiss`.
 */
export function foldName(name: string): string {
  return name
    .slice(0, 4 * NAME_LENGTH_MAX)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßłøđðħıæœþ]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]/gu, '')
}
