/** Says of elements whether they are far from the part of a pane that is seen: more than its height away. */
export class Nearness {
  private readonly ids = new Map<Element, string>()
  private observer: IntersectionObserver | null = null
  private readonly tell: (id: string, isFar: boolean) => void

  constructor(tell: (id: string, isFar: boolean) => void) {
    this.tell = tell
  }

  /** The pane that scrolls; what it gives ends the watch. */
  within(root: Element): () => void {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const id = this.ids.get(target)
          if (id !== undefined) this.tell(id, !isIntersecting)
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
      this.tell(id, false)
    }
  }
}
