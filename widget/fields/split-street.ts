// Browsers keep an address as lines; agencies keep it as parts. `Flat 2, 10 High Street` → flat, number, street.

export type StreetParts = {
  subBuildingName?: string
  buildingName?: string
  buildingNumber?: string
  thoroughfare: string
}

const flat = /^((?:flat|unit|apartment|apt\.?|room|studio|suite|floor)\s+[\w-]+|[\w-]+\s+floor(?:\s+flat)?)[,\s]+(?=.)/i
const numbered = /^(\d+\s?[a-z]?(?:\s?[-–/]\s?\d+\s?[a-z]?)?)[,\s]+(?=\p{L})/iu
const named = /^([^,\d]+),\s*(?=.)/

/** The parts of a street line, or null when it is only a street. */
export function splitStreet(line: string): StreetParts | null {
  let rest = line.trim().replace(/\s+/g, ' ')
  const parts: Omit<StreetParts, 'thoroughfare'> = {}
  const take = (pattern: RegExp, part: keyof typeof parts) => {
    const [all, text] = pattern.exec(rest) ?? []
    if (!all || !text) return
    parts[part] = text.trim()
    rest = rest.slice(all.length)
  }
  take(flat, 'subBuildingName')
  take(named, 'buildingName')
  take(numbered, 'buildingNumber')
  return Object.keys(parts).length > 0 ? { ...parts, thoroughfare: rest } : null
}
