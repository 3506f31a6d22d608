import { NameInAddress } from '#contract/common'

/** The broker's reference in the address of the page, `?ref=`. Undefined when it is missing or cannot be one. */
export function readReference(request: Request): string | undefined {
	return NameInAddress.safeParse(new URL(request.url).searchParams.get('ref')).data
}
