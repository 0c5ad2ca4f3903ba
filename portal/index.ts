// The door of the portal. Code in this repository imports the files themselves.
export { createPortal, type PortalOptions } from './portal.ts'
export { readExternalProvider } from './settings.ts'
export { type PortalStartOptions, startWithPortal } from './start.ts'
export { portalTables } from './tables.ts'
