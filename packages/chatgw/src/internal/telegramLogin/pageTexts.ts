/**
 * Sentences of the page after a sign-in, in the same languages as the texts with codes.
 */
export interface PageTexts {
  readonly approved: string
  readonly other_number: string
  readonly not_shared: string
  readonly cancelled: string
  readonly late: string
  readonly invalid: string
  readonly failed: string
  /** What to do after success. */
  readonly close: string
  /** What to do after anything else. */
  readonly back: string
}

/** One line each, in the order of the fields above. */
const of = (lines: string): PageTexts => {
  const [
    approved = "",
    other_number = "",
    not_shared = "",
    cancelled = "",
    late = "",
    invalid = "",
    failed = "",
    close = "",
    back = ""
  ] = lines.trim().split("\n")
  return { approved, other_number, not_shared, cancelled, late, invalid, failed, close, back }
}

const en = of(`
Your number is verified
Your Telegram account has another number than the one to verify
Telegram did not share your number
You did not sign in
It is too late: this sign-in is no longer waited for
This link is not valid
Telegram could not confirm your number
You can close this page.
Go back and try another way.
`)

export const pageTexts: { readonly en: PageTexts } & { readonly [language: string]: PageTexts } = {
  en,
  ar: of(`
تم التحقق من رقمك
حسابك في تيليجرام له رقم غير الرقم المطلوب التحقق منه
لم يشارك تيليجرام رقمك
لم تسجّل الدخول
فات الأوان: لم يعد تسجيل الدخول هذا منتظرًا
هذا الرابط غير صالح
تعذّر على تيليجرام تأكيد رقمك
يمكنك إغلاق هذه الصفحة.
ارجع وجرّب طريقة أخرى.
`),
  bg: of(`
Номерът ви е потвърден
Профилът ви в Telegram е с друг номер, а не с този за потвърждаване
Telegram не сподели номера ви
Не влязохте
Твърде късно: този вход вече не се очаква
Тази връзка не е валидна
Telegram не можа да потвърди номера ви
Можете да затворите тази страница.
Върнете се и опитайте по друг начин.
`),
  cs: of(`
Vaše číslo je ověřeno
Váš účet Telegram má jiné číslo než to, které se ověřuje
Telegram vaše číslo nesdělil
Nepřihlásili jste se
Je příliš pozdě: na toto přihlášení se už nečeká
Tento odkaz není platný
Telegram nemohl vaše číslo potvrdit
Tuto stránku můžete zavřít.
Vraťte se a zkuste jiný způsob.
`),
  da: of(`
Dit nummer er bekræftet
Din Telegram-konto har et andet nummer end det, der skal bekræftes
Telegram delte ikke dit nummer
Du loggede ikke ind
Det er for sent: der ventes ikke længere på dette login
Dette link er ikke gyldigt
Telegram kunne ikke bekræfte dit nummer
Du kan lukke denne side.
Gå tilbage, og prøv en anden måde.
`),
  de: of(`
Ihre Nummer ist bestätigt
Ihr Telegram-Konto hat eine andere Nummer als die zu bestätigende
Telegram hat Ihre Nummer nicht mitgeteilt
Sie haben sich nicht angemeldet
Zu spät: Auf diese Anmeldung wird nicht mehr gewartet
Dieser Link ist nicht gültig
Telegram konnte Ihre Nummer nicht bestätigen
Sie können diese Seite schließen.
Gehen Sie zurück und versuchen Sie es auf einem anderen Weg.
`),
  el: of(`
Ο αριθμός σας επιβεβαιώθηκε
Ο λογαριασμός σας στο Telegram έχει άλλον αριθμό από αυτόν που επιβεβαιώνεται
Το Telegram δεν κοινοποίησε τον αριθμό σας
Δεν συνδεθήκατε
Είναι αργά: αυτή η σύνδεση δεν αναμένεται πλέον
Αυτός ο σύνδεσμος δεν είναι έγκυρος
Το Telegram δεν μπόρεσε να επιβεβαιώσει τον αριθμό σας
Μπορείτε να κλείσετε αυτή τη σελίδα.
Επιστρέψτε και δοκιμάστε άλλον τρόπο.
`),
  es: of(`
Su número está verificado
Su cuenta de Telegram tiene un número distinto del que se verifica
Telegram no compartió su número
No ha iniciado sesión
Es demasiado tarde: ya no se espera este inicio de sesión
Este enlace no es válido
Telegram no pudo confirmar su número
Puede cerrar esta página.
Vuelva y pruebe de otra forma.
`),
  fi: of(`
Numerosi on vahvistettu
Telegram-tililläsi on eri numero kuin vahvistettava
Telegram ei jakanut numeroasi
Et kirjautunut sisään
Liian myöhäistä: tätä kirjautumista ei enää odoteta
Tämä linkki ei kelpaa
Telegram ei voinut vahvistaa numeroasi
Voit sulkea tämän sivun.
Palaa takaisin ja kokeile toista tapaa.
`),
  fr: of(`
Votre numéro est confirmé
Votre compte Telegram a un autre numéro que celui à confirmer
Telegram n'a pas communiqué votre numéro
Vous ne vous êtes pas connecté
Trop tard : cette connexion n'est plus attendue
Ce lien n'est pas valide
Telegram n'a pas pu confirmer votre numéro
Vous pouvez fermer cette page.
Revenez en arrière et essayez autrement.
`),
  he: of(`
המספר שלך אומת
לחשבון הטלגרם שלך יש מספר אחר מזה שצריך לאמת
טלגרם לא שיתפה את המספר שלך
לא נכנסת לחשבון
מאוחר מדי: לא מחכים עוד לכניסה הזאת
הקישור הזה אינו תקף
טלגרם לא הצליחה לאשר את המספר שלך
אפשר לסגור את הדף הזה.
יש לחזור ולנסות דרך אחרת.
`),
  hi: of(`
आपका नंबर सत्यापित हो गया है
आपके Telegram खाते का नंबर सत्यापित किए जाने वाले नंबर से अलग है
Telegram ने आपका नंबर साझा नहीं किया
आपने साइन इन नहीं किया
बहुत देर हो गई: इस साइन-इन की अब प्रतीक्षा नहीं है
यह लिंक मान्य नहीं है
Telegram आपके नंबर की पुष्टि नहीं कर सका
आप यह पेज बंद कर सकते हैं।
वापस जाएँ और कोई दूसरा तरीका आज़माएँ।
`),
  hu: of(`
A száma igazolva van
A Telegram-fiókjának más a száma, mint az igazolandó
A Telegram nem osztotta meg a számát
Nem jelentkezett be
Túl késő: erre a bejelentkezésre már nem várunk
Ez a hivatkozás nem érvényes
A Telegram nem tudta igazolni a számát
Bezárhatja ezt az oldalt.
Lépjen vissza, és próbálja más módon.
`),
  id: of(`
Nomor Anda sudah terverifikasi
Akun Telegram Anda memiliki nomor lain dari yang diverifikasi
Telegram tidak membagikan nomor Anda
Anda tidak masuk
Sudah terlambat: proses masuk ini tidak lagi ditunggu
Tautan ini tidak valid
Telegram tidak dapat mengonfirmasi nomor Anda
Anda dapat menutup halaman ini.
Kembali dan coba cara lain.
`),
  it: of(`
Il suo numero è verificato
Il suo account Telegram ha un numero diverso da quello da verificare
Telegram non ha condiviso il suo numero
Accesso non effettuato
Troppo tardi: questo accesso non è più atteso
Questo link non è valido
Telegram non ha potuto confermare il suo numero
Può chiudere questa pagina.
Torni indietro e provi in un altro modo.
`),
  ja: of(`
番号を確認しました
Telegramアカウントの番号が、確認する番号と異なります
Telegramから番号が共有されませんでした
サインインしませんでした
時間切れです。このサインインはもう受け付けていません
このリンクは無効です
Telegramで番号を確認できませんでした
このページは閉じてかまいません。
戻って別の方法をお試しください。
`),
  ko: of(`
번호가 인증되었습니다
Telegram 계정의 번호가 인증할 번호와 다릅니다
Telegram에서 번호를 공유하지 않았습니다
로그인하지 않았습니다
너무 늦었습니다. 이 로그인은 더 이상 기다리지 않습니다
유효하지 않은 링크입니다
Telegram에서 번호를 확인하지 못했습니다
이 페이지를 닫아도 됩니다.
돌아가서 다른 방법을 시도하세요.
`),
  nb: of(`
Nummeret ditt er bekreftet
Telegram-kontoen din har et annet nummer enn det som skal bekreftes
Telegram delte ikke nummeret ditt
Du logget ikke inn
Det er for sent: det ventes ikke lenger på denne innloggingen
Denne lenken er ikke gyldig
Telegram kunne ikke bekrefte nummeret ditt
Du kan lukke denne siden.
Gå tilbake og prøv en annen måte.
`),
  nl: of(`
Je nummer is bevestigd
Je Telegram-account heeft een ander nummer dan het te bevestigen nummer
Telegram heeft je nummer niet gedeeld
Je bent niet ingelogd
Te laat: op deze aanmelding wordt niet meer gewacht
Deze link is niet geldig
Telegram kon je nummer niet bevestigen
Je kunt deze pagina sluiten.
Ga terug en probeer het op een andere manier.
`),
  pl: of(`
Numer został potwierdzony
Konto w Telegramie ma inny numer niż potwierdzany
Telegram nie udostępnił numeru
Logowanie nie nastąpiło
Za późno: to logowanie nie jest już oczekiwane
Ten link jest nieprawidłowy
Telegram nie mógł potwierdzić numeru
Możesz zamknąć tę stronę.
Wróć i spróbuj w inny sposób.
`),
  pt: of(`
O seu número está confirmado
A sua conta do Telegram tem um número diferente do que se confirma
O Telegram não partilhou o seu número
Não iniciou sessão
Tarde demais: este início de sessão já não é esperado
Este link não é válido
O Telegram não pôde confirmar o seu número
Pode fechar esta página.
Volte atrás e tente de outra forma.
`),
  ro: of(`
Numărul dvs. este confirmat
Contul dvs. Telegram are alt număr decât cel de confirmat
Telegram nu a transmis numărul dvs.
Nu v-ați autentificat
Prea târziu: această autentificare nu mai este așteptată
Acest link nu este valid
Telegram nu a putut confirma numărul dvs.
Puteți închide această pagină.
Reveniți și încercați altfel.
`),
  ru: of(`
Ваш номер подтверждён
У вашего аккаунта Telegram другой номер, не тот, который подтверждается
Telegram не передал ваш номер
Вы не вошли
Слишком поздно: этот вход больше не ожидается
Эта ссылка недействительна
Telegram не смог подтвердить ваш номер
Эту страницу можно закрыть.
Вернитесь и попробуйте другой способ.
`),
  sv: of(`
Ditt nummer är bekräftat
Ditt Telegram-konto har ett annat nummer än det som ska bekräftas
Telegram delade inte ditt nummer
Du loggade inte in
Det är för sent: den här inloggningen inväntas inte längre
Den här länken är inte giltig
Telegram kunde inte bekräfta ditt nummer
Du kan stänga den här sidan.
Gå tillbaka och försök på ett annat sätt.
`),
  th: of(`
ยืนยันหมายเลขของคุณแล้ว
บัญชี Telegram ของคุณใช้หมายเลขอื่นที่ไม่ตรงกับหมายเลขที่ต้องยืนยัน
Telegram ไม่ได้แชร์หมายเลขของคุณ
คุณไม่ได้เข้าสู่ระบบ
ช้าเกินไป: ระบบไม่รอการเข้าสู่ระบบนี้แล้ว
ลิงก์นี้ไม่ถูกต้อง
Telegram ไม่สามารถยืนยันหมายเลขของคุณได้
คุณปิดหน้านี้ได้
กลับไปแล้วลองวิธีอื่น
`),
  tr: of(`
Numaranız doğrulandı
Telegram hesabınızın numarası doğrulanacak numaradan farklı
Telegram numaranızı paylaşmadı
Oturum açmadınız
Çok geç: bu oturum açma artık beklenmiyor
Bu bağlantı geçerli değil
Telegram numaranızı onaylayamadı
Bu sayfayı kapatabilirsiniz.
Geri dönün ve başka bir yol deneyin.
`),
  uk: of(`
Ваш номер підтверджено
Ваш обліковий запис Telegram має інший номер, не той, що підтверджується
Telegram не передав ваш номер
Ви не увійшли
Запізно: цей вхід більше не очікується
Це посилання недійсне
Telegram не зміг підтвердити ваш номер
Цю сторінку можна закрити.
Поверніться і спробуйте інший спосіб.
`),
  vi: of(`
Số của bạn đã được xác minh
Tài khoản Telegram của bạn có số khác với số cần xác minh
Telegram không chia sẻ số của bạn
Bạn chưa đăng nhập
Đã quá muộn: lần đăng nhập này không còn được chờ nữa
Liên kết này không hợp lệ
Telegram không thể xác nhận số của bạn
Bạn có thể đóng trang này.
Hãy quay lại và thử cách khác.
`),
  zh: of(`
您的号码已验证
您的 Telegram 账号号码与要验证的号码不同
Telegram 未共享您的号码
您没有登录
为时已晚：此次登录已不再等待
此链接无效
Telegram 无法确认您的号码
您可以关闭此页面。
请返回并尝试其他方式。
`)
}

const others: Readonly<Record<string, string>> = { no: "nb", nn: "nb", iw: "he", in: "id" }

/** The language that a browser prefers among these; English without such a language (RFC 9110 §12.5.4). */
export const languageOf = (acceptLanguage: string): string => {
  const ranges = acceptLanguage.slice(0, 500).split(",").map(rangeOf)
  const wanted = ranges.filter(({ weight }) => weight > 0).toSorted((one, other) => other.weight - one.weight)
  return wanted.map(({ language }) => language).find((language) => Object.hasOwn(pageTexts, language)) ?? "en"
}

const rangeOf = (text: string): { readonly language: string; readonly weight: number } => {
  const [tag = "", weight = "q=1"] = text.split(";").map((part) => part.trim().toLowerCase())
  const [language = ""] = tag.split("-")
  return { language: others[language] ?? language, weight: Number(weight.replace("q=", "")) }
}

export const directionOf = (language: string): "ltr" | "rtl" => (language === "ar" || language === "he" ? "rtl" : "ltr")
