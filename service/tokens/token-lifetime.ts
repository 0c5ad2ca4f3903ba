/** How long an access token counts. Short, because a token cannot be taken back from whoever copied it. */
export const TOKEN_LIFETIME_SECONDS = 900
