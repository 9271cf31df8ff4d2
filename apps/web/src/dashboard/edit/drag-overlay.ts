import type { Rect } from '../layout/drop.ts'
import styles from './Edit.module.css'

/** Visible marks of a drag, in px of the window. */
export interface DragOverlayState {
  /** Where the item would land. */
  line?: (Rect & { isRefused: boolean }) | undefined
  /** Name of the item, beside the pointer. */
  card?: { x: number; y: number; text: string }
  /** Size that the item would have, and its label. */
  ghost?: Rect & { text: string }
}

export interface DragOverlay {
  show(marks: DragOverlayState): void
  end(): void
}

/** Margin in px for the shadow and border of a card. */
const clearMargin = 16
const padding = { card: { x: 12, y: 7 }, ghost: { x: 8, y: 4 } }
const maxCardPx = 240
const ghostLabelPx = 8

/**
 * Canvas over the page for the marks of one drag. Any other element that moves or grows makes Chromium recompute the layers of
 * the page: 35 ms for a dashboard of a hundred charts, at every frame (`docs/decisions/0147`).
 */
export function openDragOverlay(): DragOverlay {
  const sheet = document.createElement('canvas')
  sheet.className = styles.marks ?? ''
  sheet.setAttribute('aria-hidden', 'true')
  const [width, height, scale] = [window.innerWidth, window.innerHeight, window.devicePixelRatio]
  sheet.width = width * scale
  sheet.height = height * scale
  document.body.append(sheet)
  const context = sheet.getContext('2d')
  const computedStyle = getComputedStyle(sheet)
  const token = (name: string): string => computedStyle.getPropertyValue(name)
  let drawnMarks = ''
  let used: Rect[] = []
  if (context) {
    context.scale(scale, scale)
    context.font = computedStyle.font
    context.textBaseline = 'middle'
  }

  const box = (at: Rect, radius: number): void => {
    context?.beginPath()
    context?.roundRect(at.x, at.y, at.width, at.height, radius)
    used.push(at)
  }
  const drawText = (text: string, at: Rect, pad: { x: number }, color: string): void => {
    if (!context) return
    context.fillStyle = color
    context.fillText(text, at.x + (context.direction === 'rtl' ? at.width - pad.x : pad.x), at.y + at.height / 2)
  }
  /** Size of a text with its padding. */
  const measureLabel = (text: string, pad: { x: number; y: number }): { width: number; height: number } => {
    const { width = 0, fontBoundingBoxAscent = 0, fontBoundingBoxDescent = 0 } = context?.measureText(text) ?? {}
    return { width: width + 2 * pad.x, height: fontBoundingBoxAscent + fontBoundingBoxDescent + 2 * pad.y }
  }

  const draw = (on: CanvasRenderingContext2D, { line, card, ghost }: DragOverlayState): void => {
    if (ghost) {
      on.strokeStyle = token('--accent')
      on.lineWidth = 2
      on.setLineDash([6, 4])
      box({ x: ghost.x + 1, y: ghost.y + 1, width: ghost.width - 2, height: ghost.height - 2 }, 8)
      on.stroke()
      on.setLineDash([])
      const labelSize = measureLabel(ghost.text, padding.ghost)
      const end =
        on.direction === 'rtl' ? ghost.x + ghostLabelPx : ghost.x + ghost.width - labelSize.width - ghostLabelPx
      const label = { ...labelSize, x: end, y: ghost.y + ghost.height - labelSize.height - ghostLabelPx }
      on.fillStyle = token('--accent')
      box(label, 4)
      on.fill()
      drawText(ghost.text, label, padding.ghost, token('--on-accent'))
    }
    if (line) {
      on.fillStyle = token(line.isRefused ? '--danger' : '--accent')
      box(line, 2)
      on.fill()
    }
    if (card) {
      const text = shortened(on, card.text, maxCardPx - 2 * padding.card.x)
      const at = { x: card.x, y: card.y, ...measureLabel(text, padding.card) }
      on.save()
      on.shadowColor = 'rgb(0 0 0 / 0.2)'
      on.shadowBlur = 10
      on.shadowOffsetY = 3
      on.fillStyle = token('--raised')
      box(at, 6)
      on.fill()
      on.restore()
      on.strokeStyle = token('--border-strong')
      on.lineWidth = 1
      on.stroke()
      drawText(text, at, padding.card, token('--text'))
    }
  }

  return {
    show(marks) {
      const next = JSON.stringify(marks)
      if (!context || next === drawnMarks) return
      drawnMarks = next
      for (const { x, y, ...size } of used)
        context.clearRect(x - clearMargin, y - clearMargin, size.width + 2 * clearMargin, size.height + 2 * clearMargin)
      used = []
      draw(context, marks)
    },
    end: () => sheet.remove(),
  }
}

function shortened(on: CanvasRenderingContext2D, text: string, maxWidth: number): string {
  if (on.measureText(text).width <= maxWidth) return text
  const letters = [...text]
  while (letters.length > 0 && on.measureText(`${letters.join('')}…`).width > maxWidth) letters.pop()
  return `${letters.join('')}…`
}
