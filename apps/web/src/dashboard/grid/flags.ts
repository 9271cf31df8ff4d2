/** True if HTML in the text of a dashboard is rendered (PERM-032, PERM-033), false if it is shown as text. */
export const showsHtml = ({
  DISPLAY_MARKDOWN_HTML,
  ESCAPE_MARKDOWN_HTML,
}: Readonly<Record<string, unknown>>): boolean => DISPLAY_MARKDOWN_HTML !== false && ESCAPE_MARKDOWN_HTML !== true
