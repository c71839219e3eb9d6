import { qrCode } from "#app/server/qr-code.server.ts";

/** A QR code in the page, with its quiet zone. */
export function QrPicture({ url, label = `QR code that leads to ${url}` }: { url: string; label?: string }) {
  const { path, size } = qrCode(url);
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="var(--qr-paper)" />
      <path d={path} fill="var(--qr-ink)" />
    </svg>
  );
}
