import { boot } from '../../shared/boot.ts'

const { IMAGE_HOSTS } = boot.common.conf

/** Hosts whose images are shown besides our own; images of other hosts become links. */
export const imageHosts: readonly string[] = Array.isArray(IMAGE_HOSTS) ? IMAGE_HOSTS.map(String) : []
