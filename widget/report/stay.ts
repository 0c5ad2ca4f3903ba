const MONTHS_PER_YEAR = 12

/**
 * How long someone has lived somewhere, in whole months; 0 when it is not reported, which is also what no years and no months mean.
 * Some bureaus count the months of the whole stay, some those beyond the years.
 */
export function monthsOfStay(years = 0, months = 0): number {
  if (months >= MONTHS_PER_YEAR && Math.floor(months / MONTHS_PER_YEAR) === years) return months
  return years * MONTHS_PER_YEAR + months
}
