/**
 * One element per chart node, outside the layout's tree: a chart is drawn into its host once, and the host wanders from slot to
 * slot, so that a move never draws it again.
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
