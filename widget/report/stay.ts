const MONTHS_PER_YEAR = 12

/** How long someone has lived somewhere, in whole months. Some bureaus count the months of the whole stay, some those beyond the years. */
export function monthsOfStay(years: number, months: number): number {
  if (months >= MONTHS_PER_YEAR && Math.floor(months / MONTHS_PER_YEAR) === years) return months
  return years * MONTHS_PER_YEAR + months
}
