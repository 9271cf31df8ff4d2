const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A description as HTML for clients that show HTML only: its paragraphs, everything in them as text. */
export const asHtml = (description: string | null): string =>
  (description ?? '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
    .map((paragraph) => `<p>${paragraph.replaceAll(/[&<>"']/g, (sign) => escapes[sign] as string)}</p>`)
    .join('\n')
