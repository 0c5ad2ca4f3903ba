// This file has no schemas, so that a form can use it without loading them.
export const BUILDING_FIELDS = ['subBuildingName', 'buildingName', 'buildingNumber'] as const

/** True when the address says which building; spaces alone say nothing. */
export function namesABuilding(address: { [field in (typeof BUILDING_FIELDS)[number]]?: unknown }): boolean {
  return BUILDING_FIELDS.some((field) => {
    const value = address[field]
    return typeof value === 'string' && value.trim() !== ''
  })
}
