import { type PnlSegmentAnswer } from '#contract/pnl'
import { type Segment } from '#contract/units'
import { formatMoment } from '#contract/values/moments'
import { SEGMENTS } from '#contract/values/segments'
import { addressWith, createLinkBase } from './view.server'

type Files = {
	url: URL
	year: string
	/** The segments of the rows, and which of them could not be loaded. */
	rows: readonly { of: Segment; data?: readonly unknown[]; failure?: unknown }[]
	held: readonly Segment[]
	/** The chosen segment; undefined for all. */
	segment: Segment | undefined
	bundle: PnlSegmentAnswer | undefined
	/** The address that the files are under. */
	files: string
}

/**
 * Returns the files of the data that could be loaded, and the links that choose a segment. The broker makes PDF and Excel for one segment
 * each. When the page shows all segments, they are in `ofSegments`. A zip has all segments.
 */
export function listPnlFiles({ url, year, rows, held, segment, bundle, files }: Files) {
	// A report opened by a link has the link in every address.
	const link = url.searchParams.get('link')
	const named = link === null ? undefined : { link }
	const zip = bundle?.is_genearte ? `${files}/zip?${new URLSearchParams({ year, ...named })}` : undefined
	const made = bundle?.zip_time ? new Date(bundle.zip_time) : undefined
	const shown = {
		bundle: bundle && { href: zip, made: made && formatMoment(made), at: bundle.zip_time ?? '' },
		choices: listChoices({ links: createLinkBase(url, year), held, segment, stated: bundle?.data.map(({ SEGMENT }) => SEGMENT) ?? [] }),
	}
	const traded = rows.filter(({ data }) => data && data.length > 0)
	// Nothing was held or traded, or nothing could be loaded.
	if (traded.length === 0) return { ...shown, files: [], ofSegments: [], csv: undefined }
	const links = createLinkBase(url, year)
	const areAll = held.length > 1 && !segment
	const segments = traded.map(({ of }) => {
		const query = new URLSearchParams({ year, segment: of, ...named })
		const file = { type: `P&L ${SEGMENTS[of].toUpperCase()}`, flag: year }
		const about = areAll ? `of ${SEGMENTS[of]}` : undefined
		return {
			name: SEGMENTS[of],
			files: [
				{ label: 'PDF', about, href: `${files}/pdf?${query}`, ...file },
				{ label: 'Excel', about, href: `${files}/xls?${query}`, ...file },
			],
		}
	})
	return {
		...shown,
		files: [
			...(areAll ? [] : segments.flatMap((each) => each.files)),
			...(zip && !segment ? [{ label: 'ZIP', href: zip, type: 'P&L SUMMARY BUNDLE', flag: year }] : []),
		],
		csv: rows.some(({ failure }) => failure)
			? undefined
			: { label: 'CSV', href: addressWith(links, { page: undefined }, `${files}/csv`), type: 'P&L', flag: 'CSV' },
		ofSegments: areAll ? segments : [],
	}
}

type Choice = { links: URL; held: readonly Segment[]; segment: Segment | undefined; stated: readonly string[] }

/** Returns links to all segments and to each that has figures. Empty when there is nothing to choose. */
function listChoices({ links, held, segment, stated }: Choice) {
	const offered = held.filter((code) => code === segment || stated.length === 0 || stated.includes(code))
	if (offered.length < 2 && !segment) return []
	const choose = (code: Segment | undefined, label: string) => ({
		label,
		href: addressWith(links, { segment: code, page: undefined }),
		isCurrent: code === segment,
	})
	return [choose(undefined, 'All'), ...offered.map((code) => choose(code, SEGMENTS[code]))]
}
