// Browsers keep an address as lines; agencies keep it as parts. `Flat 2` / `10 High Street` → flat, number, street.
// Uncertain parts stay as they were typed: a wrong address costs more than a question.

type StreetParts = {
  subBuildingName?: string
  buildingName?: string
  buildingNumber?: string
  thoroughfare: string
  district?: string
}

const COUNTED = 'one|two|three|four|five|six|seven|eight|nine|ten'
const KINDS = 'flat|unit|apartment|apt\\.?|room|studio|suite|maisonette|caravan|chalet|pod|berth|bedsit'
/** `Flat 2`, `Flat2/1`, `Apt. B`, `Flat Two` */
const UNIT = `(?:${KINDS})(?:\\s*\\d[\\w/.-]*|\\s+(?:[a-z]\\d*|${COUNTED})(?![\\w']))`
/** Scottish: floor and door, `2/1` or `2F1`. */
const DOOR = '\\d{1,2}/\\d{1,2}|\\d{0,2}[BGP]?F\\d{1,2}'
/** `Ground Floor Flat`, `The Annexe`, `Caretaker's Flat`, `Top Floor Left` */
const UNNUMBERED =
  "(?:[\\p{L}'’]+\\s+|\\d(?:st|nd|rd|th)\\s+){0,4}(?:flat|floor|maisonette|annexe?|apartment|penthouse|basement)(?:\\s+(?:left|right|front|rear))?"
const NUMBER = '\\d+\\s?[a-z]?(?:\\s?[-–/&]\\s?\\d+\\s?[a-z]?)?'

const flat = new RegExp(`^(?:${UNIT}|${DOOR}|${UNNUMBERED})$`, 'iu')
const onlyDoor = new RegExp(`^(?:${DOOR})$`, 'i')
const above = /^flat\s+(?:above|over|below|behind|at|to rear of)\b/i
const plot = /^plot\s+\d+[a-z]?$/i
const numbered = new RegExp(`^(${NUMBER})\\s+(\\p{L}.*)$`, 'iu')
const numberAlone = new RegExp(`^(${NUMBER})$`, 'i')
const surelyStreet = /(?:^the\s|\b)(?:street|st|road|rd|lane|ln|avenue|ave|close|drive|crescent|terrace|mews)\.?$/i
const perhapsStreet =
  /\b(?:way|place|square|hill|row|walk|grove|gardens?|green|parade|rise|view|wynd|vennel|brae|loan|quay|wharf)\.?$/i
const welshStreet = /^(?:heol|ffordd|stryd|lôn|clos|rhodfa|cilgant)\s/i
const building = /\b(?:house|court|lodge|towers?|apartments|heights|mansions|buildings?|point)$/i
/** Houses that are numbered like a street. */
const homes = /\b(?:cottages|villas|houses|almshouses|bungalows)$/i
/** Words that say where a place is rather than its name, or whose it is. */
const notAName = /^c\/o\b|\b(?:of|at|to|by|near|above|behind|opposite|adjacent|box)$/i

// Forms people write without commas, as they would have written it with them. In this order.
const commas: [pattern: RegExp, replacement: string][] = [
  // `No. 10 High Street`
  [/^(?:no\.?\s*|number\s+)(?=\d)/i, ''],
  // `10 (2F1) Leith Walk`
  [new RegExp(`^(\\d+[a-z]?)\\s*\\((${UNIT}|${DOOR})\\)\\s+`, 'i'), '$2, $1 '],
  // `10 Flat 2, High Street`
  [new RegExp(`^(\\d+[a-z]?),?\\s+(${UNIT})[,\\s]+`, 'i'), '$2, $1 '],
  // `10 High Street Flat 2`
  [new RegExp(`^(\\d.*?\\p{L})[,\\s]+(${UNIT}|${DOOR})$`, 'iu'), '$2, $1'],
  // `Flat 2 10 High Street`, `Flat 3 Mill House`
  [new RegExp(`^(${UNIT}(?=\\s+[\\d\\p{L}])|(?:${DOOR})(?=\\s+\\d))\\s+`, 'iu'), '$1, '],
  // `Mill House 22 Weir Street`
  [new RegExp(`(^|, )([^\\d,]*\\p{L})\\s+(?=${NUMBER}\\s+\\p{L}[^,]*$)`, 'iu'), '$1$2, '],
]

/** The parts of one or two lines of an address, or null when it is not certain what they are. */
export function splitStreet(line1: string, line2 = ''): StreetParts | null {
  const segments = toSegments(line1, line2)
  const parts: Omit<StreetParts, 'thoroughfare' | 'district'> = {}
  const isNumberedAt = (index: number) =>
    numbered.test(segments[index] ?? '') || numberAlone.test(segments[index] ?? '')

  // The flat: first, or after the name of the building.
  const flatAt = segments.slice(0, 2).findIndex((each, index) => isFlat(each) && (index === 0 || !isNumberedAt(0)))
  const [unit] = flatAt >= 0 ? segments.splice(flatAt, 1) : []
  if (unit) {
    // Floor and door alone look like a number, unless a number follows.
    if (onlyDoor.test(unit) && !isNumberedAt(0)) return null
    parts.subBuildingName = unit
  }

  // The name of the building: only the street that follows it shows that it is none.
  const [name = '', next = ''] = segments
  if (plot.test(name)) parts.buildingName = name
  else if (isName(name, isNumberedAt(1)) && (isNumberedAt(1) || isStreet(next))) parts.buildingName = name
  if (parts.buildingName) segments.shift()
  else if (numbered.test(name) && (isNumberedAt(1) || surelyStreet.test(next))) {
    // `10 Mill House, Weir Street` is flat 10; `10 Acacia Mews, Acacia Avenue` is one street beside another.
    const [, number = '', rest = ''] = numbered.exec(name) ?? []
    if (building.test(rest) && !unit) {
      parts.subBuildingName = number
      parts.buildingName = rest
      segments.shift()
    } else if (isNumberedAt(1) || !(isStreet(rest) || homes.test(rest))) return null
    else segments.splice(0, 2, `${name}, ${next}`)
  }

  const alone = numberAlone.exec(segments[0] ?? '')?.[1]
  if (alone && segments.length > 1) segments.splice(0, 2, `${alone} ${segments[1]}`)
  const [line = '', ...others] = segments
  const [, buildingNumber, rest] = numbered.exec(line) ?? []
  if (buildingNumber && rest) parts.buildingNumber = buildingNumber
  const thoroughfare = buildingNumber && rest ? rest : line
  // Text after the street is a district, unless it is the flat or the building after all.
  if (!unit && isFlat(others[0] ?? '')) parts.subBuildingName = others.shift() ?? ''
  if (!parts.buildingName && building.test(others[0] ?? '')) parts.buildingName = others.shift() ?? ''
  const [district, ...left] = others
  // Without a number only what looks like a street is one; and nothing may be left over.
  const isCertain =
    thoroughfare && (buildingNumber || isStreet(thoroughfare)) && !isUnclear(thoroughfare) && !isUnclear(district)
  if (!isCertain || left.length > 0 || Object.keys(parts).length === 0) return null
  return { ...parts, thoroughfare, ...(district ? { district } : line2 ? { district: '' } : {}) }
}

function toSegments(line1: string, line2: string): string[] {
  const tidy = [line1, line2].map((line) =>
    line
      .trim()
      .replace(/\s+/g, ' ')
      .replace(/[,.]+$/, ''),
  )
  return tidy
    .map((line) => commas.reduce((written, [pattern, replacement]) => written.replace(pattern, replacement), line))
    .flatMap((line) => line.split(','))
    .map((segment) => segment.trim())
    .filter(Boolean)
}

function isFlat(segment: string): boolean {
  return flat.test(segment) || above.test(segment)
}

function isStreet(segment: string): boolean {
  return surelyStreet.test(segment) || perhapsStreet.test(segment) || welshStreet.test(segment)
}

function isName(segment: string, isBeforeNumber: boolean): boolean {
  if (!segment || /[\d(]/.test(segment) || notAName.test(segment) || isFlat(segment)) return false
  return isBeforeNumber ? !surelyStreet.test(segment) : !isStreet(segment)
}

/** A number or a flat where none belongs. */
function isUnclear(segment = ''): boolean {
  return /[\d()]/.test(segment) || isFlat(segment)
}
