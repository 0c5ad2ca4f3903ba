/** Each Node that is promised, as far as npm has it for this machine. */
export function fetchNodes(): { version: string; path: string }[]
