/**
 * The style of the element. Each colour and size is a custom property, and each part has a name for `::part`.
 */
export const style = `
:host{--_accent:var(--watchword-accent,#1d56c9);--_on-accent:var(--watchword-on-accent,#fff);--_text:var(--watchword-text,#16181d);--_muted:var(--watchword-muted,#555b66);--_field:var(--watchword-field,#fff);--_border:var(--watchword-border,#7b818c);--_error:var(--watchword-error,#b3261e);--_radius:var(--watchword-radius,.625rem);--_size:var(--watchword-size,3rem);--_gap:var(--watchword-gap,.5rem);display:block;max-width:var(--watchword-width,24rem);font:var(--watchword-font,400 1rem/1.5 system-ui,sans-serif);color:var(--_text);text-align:start}
@supports (color:light-dark(#000,#fff)){:host{--_accent:var(--watchword-accent,light-dark(#1d56c9,#9cbcff));--_on-accent:var(--watchword-on-accent,light-dark(#fff,#0d1526));--_text:var(--watchword-text,light-dark(#16181d,#eceef2));--_muted:var(--watchword-muted,light-dark(#555b66,#b3b9c4));--_field:var(--watchword-field,light-dark(#fff,#1b1e24));--_border:var(--watchword-border,light-dark(#7b818c,#7d8593));--_error:var(--watchword-error,light-dark(#b3261e,#ffb4ab))}}
:host([hidden]),[hidden]{display:none!important}
*,::before{box-sizing:border-box}
form,p,fieldset{margin:0;padding:0;border:0;min-width:0}
form{display:grid}
label,legend{font-weight:600;margin-block-end:.375rem;padding:0}
input,select,button{font:inherit;color:inherit;margin:0}
.field,.box{background:var(--_field);border:1px solid var(--_border);border-radius:var(--_radius)}
.field{display:flex;min-height:var(--_size)}
.field:focus-within,button:focus-visible,.code:focus-within .on{outline:2px solid var(--_accent);outline-offset:2px}
.field:focus-within{border-color:var(--_accent)}
.country{position:relative;display:flex;align-items:center;gap:.375rem;padding-inline:.875rem .625rem;border-inline-end:1px solid var(--_border);white-space:nowrap;color:var(--_muted);border-start-start-radius:calc(var(--_radius) - 1px);border-end-start-radius:calc(var(--_radius) - 1px)}
.country::after{content:"";width:.4rem;height:.4rem;border:solid currentColor;border-width:0 1.5px 1.5px 0;rotate:45deg;margin-block-end:.2rem}
.country:focus-within,.country:hover{color:var(--_text);background:color-mix(in srgb,var(--_accent) 12%,transparent)}
select{position:absolute;inset:0;width:100%;opacity:0;cursor:pointer}
option{color:#16181d;background:#fff}
.field input{flex:1;min-width:0;border:0;outline:0;background:none;padding:0 .875rem;border-radius:var(--_radius)}
.code{position:relative;display:grid;grid-template-columns:repeat(var(--_length),minmax(0,1fr));gap:var(--_gap);max-width:calc(var(--_length)*(var(--_size) + 1rem))}
.code input{position:absolute;inset:0;width:100%;border:0;outline:0;padding:0;background:none;color:transparent;caret-color:transparent;forced-color-adjust:none;font-size:1rem;border-radius:var(--_radius)}
.code input::selection{background:none}
.box{display:grid;place-items:center;height:calc(var(--_size) + .5rem);font-size:1.375rem;font-weight:600;font-variant-numeric:tabular-nums;pointer-events:none;z-index:1}
.code:focus-within .on{border-color:var(--_accent)}
.bad .box,.field.bad{border-color:var(--_error)}
.error{color:var(--_error);margin-block-start:.375rem}
.error:empty{display:none}
.sent{color:var(--_muted);margin-block-end:1rem}
.primary{min-height:var(--_size);margin-block-start:1rem;padding:.5rem 1.25rem;border:1px solid transparent;border-radius:var(--_radius);background:var(--_accent);color:var(--_on-accent);font-weight:600;cursor:pointer}
.primary:hover{background:color-mix(in srgb,var(--_accent) 88%,var(--_text))}
[aria-busy=true]{cursor:progress;opacity:.75}
.more{display:grid;justify-items:start;gap:.125rem;margin-block-start:.75rem}
.link{background:none;border:0;padding:.375rem 0;color:var(--_accent);text-align:start;cursor:pointer;border-radius:.25rem;font-variant-numeric:tabular-nums}
.link:hover{text-decoration:underline}
.link[aria-disabled=true]{color:var(--_muted);cursor:default;text-decoration:none}
.ways{display:grid;gap:.75rem;margin:0 0 1rem;padding:0;list-style:none}
.way{display:flex;flex-wrap:wrap;gap:0 .5rem;align-items:center;min-height:var(--_size);padding:.5rem 1.25rem;border:1px solid var(--_border);border-radius:var(--_radius);background:var(--_field);color:var(--_accent);font-weight:600;text-decoration:none}
.way:hover{border-color:var(--_accent)}
.way bdi{color:var(--_text);font-weight:400;font-variant-numeric:tabular-nums}
a:focus-visible,summary:focus-visible{outline:2px solid var(--_accent);outline-offset:2px}
.text{margin-block-start:.25rem;color:var(--_muted);font-size:.875rem;overflow-wrap:anywhere}
.qr summary{padding-block:.375rem;color:var(--_accent);cursor:pointer}
.qr svg{display:block;width:100%;max-width:14rem;padding:.5rem;background:#fff;border-radius:var(--_radius)}
@media (hover:none){.qr{display:none}}
.readings{display:grid;gap:var(--_gap);margin-block-start:.75rem}
.reading{min-height:var(--_size);background:var(--_field);border:1px solid var(--_border);border-radius:var(--_radius);padding:0 .875rem;text-align:start;cursor:pointer}
[dir=rtl] .reading{text-align:end}
[tabindex]{outline:0}
.reading:hover{border-color:var(--_accent)}
.done{display:flex;gap:.625rem;align-items:center;font-weight:600}
.done::before{content:"";flex:none;width:.5rem;height:.9rem;margin-inline:.4rem;border:solid var(--_accent);border-width:0 3px 3px 0;rotate:45deg;margin-block-end:.25rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (forced-colors:active){.code:focus-within .on{border-width:3px}}
`
