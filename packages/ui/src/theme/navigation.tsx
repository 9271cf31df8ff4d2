import { createContext, use, type ComponentProps, type MouseEvent } from 'react'

export interface Navigation {
  /** Navigates to an address of the product without reloading the page. */
  go(href: string, options?: { replace?: boolean }): void
  /** Prefetches what that address needs; called when a link is hovered or focused. */
  preload?(href: string): void
}

export const NavigationContext = createContext<Navigation>({ go: (href) => location.assign(href) })
export const useNavigation = (): Navigation => use(NavigationContext)

export interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  href: string
}

const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

/** A real link: Ctrl-click, the middle button and "Copy link address" work; a plain click stays in the application. */
export function Link({ href, onClick, target, ...rest }: LinkProps) {
  const { go, preload } = useNavigation()
  const inside = href.startsWith('/') && !href.startsWith('//') && !target
  return (
    <a
      {...rest}
      href={href}
      target={target}
      rel={target === '_blank' ? 'noreferrer' : rest.rel}
      onPointerEnter={inside && preload ? () => preload(href) : undefined}
      onFocus={inside && preload ? () => preload(href) : undefined}
      onClick={(event) => {
        onClick?.(event)
        if (!inside || event.defaultPrevented || !isPlainClick(event)) return
        event.preventDefault()
        go(href)
      }}
    />
  )
}
