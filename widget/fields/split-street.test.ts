import { describe, expect, test } from 'vitest'
import { splitStreet } from './split-street.ts'

/** Lines by ` / ` → flat | building name | number | street | district. */
const rows: [lines: string, parts: string | null][] = [
  ['10 High Street', '||10|High Street|'],
  ['12a High Street', '||12a|High Street|'],
  ['12 A High Street', '||12 A|High Street|'],
  ['1-3 High Street', '||1-3|High Street|'],
  ['10, High Street', '||10|High Street|'],
  ['No. 10 High Street', '||10|High Street|'],
  ['No 10, High Street', '||10|High Street|'],
  ['Number 4 Mill Lane', '||4|Mill Lane|'],
  ['10 High Street / Little Village', '||10|High Street|Little Village'],
  ['10 High Street, Little Village', '||10|High Street|Little Village'],
  ['10 / High Street', '||10|High Street|'],
  ['Flat 2, 10 High Street', 'Flat 2||10|High Street|'],
  ['Flat 2 10 High Street', 'Flat 2||10|High Street|'],
  ['Flat 2 / 10 High Street', 'Flat 2||10|High Street|'],
  ['Flat B / 10 High Street', 'Flat B||10|High Street|'],
  ['Apartment 14 / 3 Canal Road', 'Apartment 14||3|Canal Road|'],
  ['Apt 5, 21 Queens Drive', 'Apt 5||21|Queens Drive|'],
  ['Flat 3, Mill House / 22 Weir Street', 'Flat 3|Mill House|22|Weir Street|'],
  ['Flat 3 / Mill House, 22 Weir Street', 'Flat 3|Mill House|22|Weir Street|'],
  ['Unit 4, Mill House, 7 Canal Road', 'Unit 4|Mill House|7|Canal Road|'],
  ['Room 12, Ashby Court, 5 Park Road', 'Room 12|Ashby Court|5|Park Road|'],
  ['2/1, 10 High Street', '2/1||10|High Street|'],
  ['2/1 10 High Street', '2/1||10|High Street|'],
  ['2/1 / 10 High Street', '2/1||10|High Street|'],
  ['Flat 2/1, 10 High Street', 'Flat 2/1||10|High Street|'],
  ['Flat 2/1 10 High Street', 'Flat 2/1||10|High Street|'],
  ['2F1, 10 Leith Walk', '2F1||10|Leith Walk|'],
  ['2F1 10 Leith Walk', '2F1||10|Leith Walk|'],
  ['3F2 / 41 Marchmont Road', '3F2||41|Marchmont Road|'],
  ['PF2, 17 Dalry Road', 'PF2||17|Dalry Road|'],
  ['GF1, 17 Dalry Road', 'GF1||17|Dalry Road|'],
  ['10/3 Leith Walk', '||10/3|Leith Walk|'],
  ['Ground Floor Flat, 8 Park Road', 'Ground Floor Flat||8|Park Road|'],
  ['First Floor, 8 Park Road', 'First Floor||8|Park Road|'],
  ['Basement Flat / 8 Park Road', 'Basement Flat||8|Park Road|'],
  ['Top Floor Left, 8 Park Road', 'Top Floor Left||8|Park Road|'],
  ['The Annexe, 8 Park Road', 'The Annexe||8|Park Road|'],
  ['Annex, Rose Cottage, Mill Lane', 'Annex|Rose Cottage||Mill Lane|'],
  ['Flat above shop, 12 High Street', 'Flat above shop||12|High Street|'],
  ['Flat above shop / 12 High Street', 'Flat above shop||12|High Street|'],
  ['Flat over the bakery, 3 Church Street', 'Flat over the bakery||3|Church Street|'],
  ['Rose Cottage, Mill Lane', '|Rose Cottage||Mill Lane|'],
  ['Rose Cottage / Mill Lane', '|Rose Cottage||Mill Lane|'],
  ['Rose Cottage, Mill Lane / Little Village', '|Rose Cottage||Mill Lane|Little Village'],
  ['The Old Rectory, Church Lane', '|The Old Rectory||Church Lane|'],
  ['Mill House, 22 Weir Street', '|Mill House|22|Weir Street|'],
  ['Plot 12, Meadow View', '|Plot 12||Meadow View|'],
  ['Caravan 4, 2 Shore Road', 'Caravan 4||2|Shore Road|'],
  ['Tŷ Gwyn, Heol y Coed', null],
  ['Tŷ Gwyn, Stryd Fawr', null],
  ['12 Heol Fawr', '||12|Heol Fawr|'],
  ['15 The Green', '||15|The Green|'],
  ['221b Baker Street', '||221b|Baker Street|'],
  ['High Street', null],
  ['High Street, Little Village', null],
  ['High Street / Little Village', null],
  ['Caravan 4, Sunny Sands', null],
  ['Flat above shop', null],
  ['Rose Cottage', null],
  ['Rose Cottage / Little Village', null],
  ['Mill House / Weir Farm', null],
  ['PO Box 44', null],
  ['10', null],
  ['Flat 2', null],
  ['', null],
]

describe('lines of an address, taken apart or left whole', () => {
  test.each(rows)('%s', (lines, expected) => {
    const [line1 = '', line2] = lines.split(' / ')
    const split = splitStreet(line1, line2)
    const shown =
      split &&
      [split.subBuildingName, split.buildingName, split.buildingNumber, split.thoroughfare, split.district]
        .map((part) => part ?? '')
        .join('|')
    expect(shown).toBe(expected)
  })
})
