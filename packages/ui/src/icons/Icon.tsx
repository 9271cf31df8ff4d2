import { fillable, pathOf, type IconName } from './paths.ts'

export interface IconProps {
  name: IconName
  /** 16 by default, 20 in the sidebar. */
  size?: number
  /** Name for screen readers; without it the icon is decorative. */
  label?: string
  filled?: boolean
  className?: string
}

export function Icon({ name, size = 16, label, filled, className }: IconProps) {
  return (
    <svg
      className={className}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill={filled && fillable.has(name) ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={size > 16 ? 1.3 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      focusable="false"
      style={{ flex: 'none' }}
    >
      <path d={pathOf(name)} strokeWidth={name === 'more' || name === 'drag' ? 2 : undefined} />
    </svg>
  )
}
