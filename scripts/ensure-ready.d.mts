export function stopUnlessReady(): void
export function findMissing(paths: { built: string; browser: string }): string | null
