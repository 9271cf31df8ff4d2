// Written by `npm run gen` from the folders beside it.

/** Addresses of the pictures of the gallery. */
export const thumbnails: Record<string, { light: string; dark: string }> = {
}
