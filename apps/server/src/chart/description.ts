const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Converts a description to HTML paragraphs of escaped text, for clients that show only HTML. */
export const asHtml = (description: string | null): string =>
  (description ?? '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
    .map((paragraph) => `<p>${paragraph.replaceAll(/[&<>"']/g, (sign) => escapes[sign] as string)}</p>`)
    .join('\n')
