import { Resvg } from '@resvg/resvg-js'

/** Dots per pixel, sharp on paper. */
const scale = 2

/** Renders an image to PNG at its drawn size; empty if it cannot be read. */
export const rasterizeImage = (href: string, width: number, height: number): Buffer =>
  new Resvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="${href}"/></svg>`,
    { fitTo: { mode: 'zoom', value: scale }, font: { loadSystemFonts: false } },
  )
    .render()
    .asPng()
