/** The product mark: a parquet tile. */
export const Logo = ({ size = 24 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" style={{ flex: 'none' }}>
    <rect width="32" height="32" rx="7" fill="var(--accent)" />
    <path d="M16 6l10 10-10 10L6 16zM11 11l10 10M21 11L11 21" fill="none" stroke="var(--on-accent)" strokeWidth="2.4" />
  </svg>
)
