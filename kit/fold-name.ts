import { NAME_LENGTH_MAX } from '../contract/limits.ts'

/** The bare letters and digits: `Ní Dhomhnaill`, `NI DHOMHNAILL` and `ní-dhomhnaill` are one name. */
export function foldName(name: string): string {
  return name
    .slice(0, 4 * NAME_LENGTH_MAX)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
