/**
 * One element per chart node, outside the layout tree: a chart is drawn into its host once, and the host moves between slots, so
 * that a move never redraws it.
 */
export class ChartHosts {
  private readonly elements = new Map<string, HTMLElement>()

  of(id: string): HTMLElement {
    const known = this.elements.get(id)
    if (known) return known
    const element = document.createElement('div')
    element.style.cssText = 'width: 100%; height: 100%; min-width: 0;'
    this.elements.set(id, element)
    return element
  }
}
