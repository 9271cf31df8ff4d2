/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Differences between two images, in pixels and in texts. */
export interface PictureDifference {
  pixels: number
  /** Number of pixels that are not background. */
  ink: number
  /** Number of texts that both have. */
  texts: number
  onlyDrawn: string[]
  onlyOnScreen: string[]
}

interface PlacedText {
  text: string
  x: number
  y: number
}

declare global {
  interface Window {
    /** Number of times that charts of the page were drawn. */
    drawn: number
    texts: WeakMap<HTMLCanvasElement, PlacedText[]>
  }
}

/** Runs before the page loads: canvases record their texts instead of drawing them. */
export function recordTexts(): void {
  window.texts = new WeakMap()
  const { prototype } = CanvasRenderingContext2D
  const { clearRect } = prototype
  prototype.clearRect = function (...box) {
    window.texts.delete(this.canvas)
    clearRect.apply(this, box)
  }
  prototype.strokeText = () => {}
  prototype.fillText = function (text, x, y) {
    const { a, b, c, d, e, f } = this.getTransform()
    const texts = window.texts.get(this.canvas) ?? []
    const scale = devicePixelRatio
    texts.push({ text, x: (a * x + c * y + e) / scale, y: (b * x + d * y + f) / scale })
    window.texts.set(this.canvas, texts)
  }
}

/**
 * Compares a chart on the page with a drawing of it. Runs in the page and therefore uses no outer variables.
 * @param png the drawing without its texts, as base64
 */
export async function compareInPage(drawn: {
  name: string
  svg: string
  png: string
  width: number
  height: number
}): Promise<PictureDifference> {
  const { width, height } = drawn
  const [reach, mostApart, mostMoved, mostCut] = [2, 90, 2, 3]

  const figure = [...document.querySelectorAll('figure')].find(
    (each) => each.querySelector(':scope > figcaption')?.textContent === drawn.name,
  )
  const box = figure?.querySelector(':scope > div')
  if (!box) throw new Error(`There is no ${drawn.name} on the page.`)
  const canvases = [...box.querySelectorAll('canvas')]

  const pixelsOf = (draw: (canvas: OffscreenCanvasRenderingContext2D) => void): Uint8ClampedArray => {
    const canvas = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
    if (!canvas) throw new Error('There is no canvas.')
    canvas.imageSmoothingQuality = 'high'
    draw(canvas)
    return canvas.getImageData(0, 0, width, height).data
  }
  const image = new Image()
  image.src = `data:image/png;base64,${drawn.png}`
  await image.decode()
  const one = pixelsOf((canvas) => canvas.drawImage(image, 0, 0, width, height))
  const other = pixelsOf((canvas) => {
    const around = box.getBoundingClientRect()
    canvas.fillStyle = getComputedStyle(box).backgroundColor
    canvas.fillRect(0, 0, width, height)
    for (const each of canvases) {
      const at = each.getBoundingClientRect()
      canvas.drawImage(each, at.left - around.left, at.top - around.top, at.width, at.height)
    }
  })

  const apart = (a: Uint8ClampedArray, i: number, b: Uint8ClampedArray, j: number): number =>
    Math.max(...[0, 1, 2].map((channel) => Math.abs((a[i + channel] ?? 0) - (b[j + channel] ?? 0))))
  const isFar = (a: Uint8ClampedArray, b: Uint8ClampedArray, index: number): boolean => {
    const [x, y] = [index % width, Math.floor(index / width)]
    for (let v = Math.max(0, y - reach); v <= Math.min(height - 1, y + reach); v++)
      for (let u = Math.max(0, x - reach); u <= Math.min(width - 1, x + reach); u++)
        if (apart(a, 4 * index, b, 4 * (v * width + u)) <= mostApart) return false
    return true
  }
  let [pixels, ink] = [0, 0]
  for (let index = 0; index < width * height; index++) {
    const i = 4 * index
    if (one[i] !== one[0] || one[i + 1] !== one[1] || one[i + 2] !== one[2]) ink += 1
    const isSame = one[i] === other[i] && one[i + 1] === other[i + 1] && one[i + 2] === other[i + 2]
    if (!isSame && apart(one, i, other, i) > mostApart && (isFar(one, other, index) || isFar(other, one, index)))
      pixels += 1
  }

  const holder = document.createElement('div')
  holder.style.cssText = `position: absolute; left: 0; top: 0; width: ${width}px; height: ${height}px`
  holder.innerHTML = drawn.svg
  document.body.append(holder)
  const ground = holder.querySelector('svg')?.getScreenCTM()?.inverse()
  const written: PlacedText[] = [...holder.querySelectorAll('text')].map((text) => {
    const place = new DOMPoint(Number(text.getAttribute('x') ?? 0), Number(text.getAttribute('y') ?? 0))
    const { x, y } = place.matrixTransform(ground?.multiply(text.getScreenCTM() ?? undefined))
    return { text: text.textContent, x, y }
  })
  holder.remove()

  const isSameText = (a: string, b: string): boolean => {
    if (a === b) return true
    const [cut, long] = [a, b].map((text) => text.replace(/(\.\.\.|…)$/, '')).toSorted((m, n) => m.length - n.length)
    return (
      a !== cut &&
      b !== long &&
      a !== long &&
      !!long?.startsWith(cut ?? '') &&
      long.length - (cut?.length ?? 0) <= mostCut
    )
  }
  const left = canvases.flatMap((canvas) => window.texts.get(canvas) ?? [])
  const texts = left.length
  const onlyDrawn = written.filter((text) => {
    const found = left.findIndex(
      (each) => isSameText(each.text, text.text) && Math.hypot(each.x - text.x, each.y - text.y) <= mostMoved,
    )
    if (found >= 0) left.splice(found, 1)
    return found < 0
  })
  const formatPlacedText = ({ text, x, y }: PlacedText): string => `${text} at ${Math.round(x)}, ${Math.round(y)}`
  return {
    pixels,
    ink,
    texts: texts - left.length,
    onlyDrawn: onlyDrawn.map(formatPlacedText),
    onlyOnScreen: left.map(formatPlacedText),
  }
}
