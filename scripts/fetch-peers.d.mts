/**
 * The `node_modules` folder that holds exactly these packages (`name@version`), or null, with one line said, when they
 * cannot be had.
 */
export function fetchPeers(set: string, packages: readonly string[]): string | null
