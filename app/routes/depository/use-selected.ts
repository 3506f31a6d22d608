import { useLocation } from '@remix-run/react'
import { type FormEvent, useEffect, useState } from 'react'
import { useLive } from '~/components/use-live'
import { computeMargin, parseUnits } from '~/lib/margin'

/** `close` is the last price in rupees. */
type Row = { isin: string; close: number }

/**
 * The number of ticked boxes of a form, and what the units typed beside them are worth in paise: at first of `chosen` and `typed`, then of
 * what the form holds; undefined where no script can count them.
 */
export function useSelected(rows: readonly Row[], chosen: readonly unknown[], typed: (isin: string) => string) {
	const { search } = useLocation()
	const isLive = useLive()
	const [now, setNow] = useState<FormData>()
	// A link may tick others.
	useEffect(() => setNow(undefined), [search])
	const onInput = ({ currentTarget, target }: FormEvent<HTMLFormElement>) => {
		// A quantity typed in a row selects the row.
		if (target instanceof HTMLInputElement && target.name.startsWith('qty.') && target.value) {
			const box = target.closest('tr')?.querySelector('[name=isin]')
			if (box instanceof HTMLInputElement) box.checked = true
		}
		setNow(new FormData(currentTarget))
	}
	if (!isLive) return { selected: undefined, onInput }
	const ticked: readonly unknown[] = now ? now.getAll('isin') : chosen
	const readUnits = (isin: string) => parseUnits(now ? String(now.get(`qty.${isin}`)) : typed(isin)) ?? 0
	const value = rows
		.filter(({ isin }) => ticked.includes(isin))
		.reduce((sum, { isin, close }) => sum + computeMargin(readUnits(isin), close, 0), 0)
	return { selected: { count: ticked.length, value }, onInput }
}
