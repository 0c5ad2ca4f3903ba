// Browsers keep an address as lines; agencies keep it as parts. `Flat 2` / `10 High Street` → flat, number, street. What is not certain
// stays as it was typed: a wrong address costs more than a question.

export type StreetParts = {
  subBuildingName?: string
  buildingName?: string
  buildingNumber?: string
  thoroughfare: string
  district?: string
}

const UNIT = String.raw`(?:flat|unit|apartment|apt\.?|room|studio|suite|maisonette|caravan|chalet|pod|berth|bedsit)\s+[\w/.-]+`
const FLOOR = String.raw`(?:\w+\s+floor|basement|garden|top|upper|lower)(?:\s+flat|\s+left|\s+right)*`
/** Scottish: floor and door. */
const DOOR = String.raw`\d{1,2}/\d{1,2}|\d{0,2}[BGP]?F\d{1,2}`
const flat = new RegExp(`^(?:${UNIT}|${FLOOR}|${DOOR}|(?:the\\s+)?annexe?|flat\\s+[a-z])$`, 'i')
const flatThenNumber = new RegExp(`^(${UNIT}|${DOOR})\\s+(?=\\d)`, 'i')
const above = /^flat\s+(?:above|over|below|behind|at|to rear of)\b/i
const plot = /^plot\s+\d+[a-z]?$/i
const numbered = /^(?:no\.?\s*|number\s+)?(\d+\s?[a-z]?(?:\s?[-–/]\s?\d+\s?[a-z]?)?)\s+(\p{L}.*)$/iu
const numberAlone = /^(?:no\.?\s*)?(\d+[a-z]?)$/i
const street =
  /\b(?:street|st|road|rd|lane|ln|avenue|ave|close|drive|way|crescent|terrace|place|square|hill|row|walk|grove|gardens?|green|parade|mews|rise|view|wynd|vennel|brae|loan|quay|wharf|heol|ffordd|stryd|lôn)\.?$/i

/** The parts of one or two lines of an address, or null when it is not certain what they are. */
export function splitStreet(line1: string, line2 = ''): StreetParts | null {
  const segments = [line1, line2]
    .flatMap((line) => line.split(','))
    .map((segment) => segment.trim().replace(/\s+/g, ' '))
    .filter(Boolean)
  const parts: Omit<StreetParts, 'thoroughfare'> = {}
  const [first = ''] = segments
  const [unit] = flatThenNumber.exec(first) ?? []
  if (unit) {
    parts.subBuildingName = unit.trim()
    segments[0] = first.slice(unit.length)
  } else if (flat.test(first) || (above.test(first) && segments.length > 1)) {
    parts.subBuildingName = first
    segments.shift()
  } else if (plot.test(first)) {
    parts.buildingName = first
    segments.shift()
  }
  // A name can only be told from a street by the street that follows it.
  const [name = '', next = ''] = segments
  const isStreetNext = numbered.test(next) || numberAlone.test(next) || street.test(next)
  if (!parts.buildingName && isStreetNext && !/\d/.test(name) && !street.test(name)) {
    parts.buildingName = name
    segments.shift()
  }
  const alone = numberAlone.exec(segments[0] ?? '')?.[1]
  if (alone && segments.length > 1) segments.splice(0, 2, `${alone} ${segments[1]}`)
  const [line = '', district, ...others] = segments
  const [, buildingNumber, rest] = numbered.exec(line) ?? []
  if (buildingNumber && rest) parts.buildingNumber = buildingNumber
  const thoroughfare = buildingNumber && rest ? rest : line
  // Without a number only what looks like a street is one; and nothing may be left over.
  const isCertain = thoroughfare && (buildingNumber || street.test(thoroughfare)) && others.length === 0
  if (!isCertain || Object.keys(parts).length === 0) return null
  return { ...parts, thoroughfare, ...(district ? { district } : line2 ? { district: '' } : {}) }
}
