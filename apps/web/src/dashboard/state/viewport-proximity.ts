/** Reports whether elements are offscreen: more than a pane's height away from its visible part. */
export class ViewportProximity {
  private readonly ids = new Map<Element, string>()
  private observer: IntersectionObserver | null = null
  private readonly notify: (id: string, isFar: boolean) => void

  constructor(notify: (id: string, isFar: boolean) => void) {
    this.notify = notify
  }

  /** Starts watching in a scrolling pane; the returned function stops it. */
  observeRoot(root: Element): () => void {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const id = this.ids.get(target)
          if (id !== undefined) this.notify(id, !isIntersecting)
        }
      },
      { root, rootMargin: '100% 0px' },
    )
    this.observer = observer
    for (const element of this.ids.keys()) observer.observe(element)
    return () => {
      observer.disconnect()
      this.observer = null
    }
  }

  watch(id: string, element: Element): () => void {
    this.ids.set(element, id)
    this.observer?.observe(element)
    return () => {
      this.ids.delete(element)
      this.observer?.unobserve(element)
      this.notify(id, false)
    }
  }
}
