"""Our own sentences in many languages, and the encodings such pages still come in."""

from __future__ import annotations

from dataclasses import dataclass

TEXTS = {
    "russian": (
        "Сегодня утром на рынке было удивительно тихо. Продавцы раскладывали яблоки и свежий хлеб, "
        "а старый кот спал на ящике возле входа. Никто не спешил, и даже дети говорили шёпотом. "
        "К полудню пришли покупатели, и площадь снова наполнилась голосами."
    ),
    "ukrainian": (
        "Вранці ми вийшли з дому раніше, ніж звичайно, бо їхати довелося далеко. Дорога вела повз "
        "річку й невеликий ліс, де ще лежав туман. Її голос звучав тихо, але впевнено, і кожен "
        "подумав про своє. Увечері всі зібралися біля вогню та співали пісень."
    ),
    "bulgarian": (
        "Вчера следобед библиотеката беше пълна с хора, които търсеха стари карти на града. "
        "Уредничката им показа шкафа до прозореца и обясни как се четат знаците. Всички слушаха "
        "внимателно, защото след затварянето щеше да започне ремонтът."
    ),
    "greek": (
        "Το πρωί η θάλασσα ήταν ήρεμη και οι ψαράδες γύρισαν νωρίς στο λιμάνι. Ο παππούς κάθισε "
        "στη σκιά και διηγήθηκε μια παλιά ιστορία για τα καράβια. Τα παιδιά άκουγαν με προσοχή, "
        "ώσπου η γιαγιά φώναξε ότι το φαγητό είναι έτοιμο."
    ),
    "turkish": (
        "Bu sabah çarşıda ışıklar erkenden yandı. Yaşlı bir kadın taze ekmek alıp yavaşça evine "
        "doğru yürüdü; çünkü torunları öğleden sonra gelecekti. Güneş yükseldikçe sokaklar "
        "kalabalıklaştı, çocukların neşeli sesleri her köşeden duyuluyordu. Şimdi ise gökyüzü açık."
    ),
    "polish": (
        "Wczesnym rankiem mgła zasłoniła całą dolinę i nie było widać nawet kościoła. Starszy "
        "mężczyzna otworzył okno, wciągnął świeże powietrze i pomyślał, że dzień będzie piękny. "
        "Później dzieci pobiegły nad rzekę, żeby łapać żaby i puszczać łódki z kory."
    ),
    "czech": (
        "Brzy ráno přišel pošťák s velkým balíkem a zazvonil u všech dveří. Nikdo nevěděl, komu "
        "zásilka patří, protože štítek byl úplně rozmočený. Nakonec ji otevřeli společně a našli "
        "uvnitř čtyři skleněné hvězdy, které někdo pečlivě zabalil do žlutého papíru."
    ),
    "hungarian": (
        "A folyó fölött reggelente sűrű köd úszik, és csak a híd két tornya látszik ki belőle. "
        "Az öreg révész mégis minden nap kiáll a partra, hogy üdvözölje az első utasokat. "
        "Esténként tüzet gyújt, főz egy kis halászlét, és történeteket mesél a gyerekeknek."
    ),
    "german": (
        "Am frühen Morgen hörte man nur die Vögel über den Dächern. Die Bäckerin öffnete ihr "
        "Geschäft, stellte süße Brötchen ins Fenster und grüßte jeden, der vorüberging. Später "
        "fiel ein heftiger Regen, und plötzlich war die große Straße völlig leer."
    ),
    "french": (
        "Le marché s'éveillait à peine lorsque la première charrette arriva près de l'église. Une "
        "vieille dame déposa ses paniers, arrangea les pêches dorées et bavarda avec son voisin. "
        "Après le déjeuner, la fête commença ; où que l'on allât, on entendait chanter."
    ),
    "spanish": (
        "Mañana por la mañana volveremos al pequeño pueblo donde nació mi abuelo. Allí el otoño "
        "llega despacio, con olor a leña y a castañas. ¿Quién sabe si todavía estará abierta la "
        "panadería? Según mi tía, el señor del mercado aún pregunta por nosotros."
    ),
    "lithuanian": (
        "Ankstų rytą kaimynė išėjo į sodą rinkti obuolių, nes vakare turėjo atvažiuoti svečiai. "
        "Šiltas vėjas judino šakas, o ant tvoros tupėjo žvirbliai. Vėliau visi sėdo prie didelio "
        "stalo, gėrė arbatą ir kalbėjo apie ateinančią žiemą bei būsimus darbus."
    ),
    "latvian": (
        "Agri no rīta zvejnieki devās jūrā, kaut gan debesis bija tumšas un vējš pūta arvien "
        "stiprāk. Krastā palika sievas un bērni, kas gaidīja ziņas. Ap pusdienlaiku laivas "
        "atgriezās, un visi priecājās par lielo lomu, ko drīz vien pārdeva tirgū."
    ),
    "hebrew": (
        "בבוקר יצאנו אל השוק הישן לקנות לחם ופירות. המוכר חייך אלינו וסיפר שהגשם האחרון עשה טוב "
        "לעצים. בצהריים ישבנו בצל ליד הבאר, והילדים שיחקו בכדור עד שהשמש החלה לרדת מעבר לגבעות."
    ),
    "arabic": (
        "في الصباح الباكر فتح الخباز دكانه القديم ووضع الأرغفة الساخنة أمام النافذة. مر الجيران "
        "واحدا بعد الآخر، وسأل كل منهم عن أخبار المدينة. وعندما ارتفعت الشمس عاد الأطفال من "
        "المدرسة وهم يضحكون، فامتلأ الشارع بالأصوات من جديد."
    ),
    "thai": (
        "เช้าวันนี้ตลาดริมน้ำเงียบกว่าปกติ แม่ค้าจัดผลไม้ไว้หน้าร้านแล้วนั่งคุยกับเพื่อนบ้าน "
        "เด็กสองคนวิ่งเล่นอยู่ใกล้สะพานไม้ ตอนบ่ายฝนตกหนัก ทุกคนจึงกลับบ้านและรอให้ฟ้าเปิดอีกครั้ง"
    ),
    "vietnamese": (
        "Sáng nay chợ bên sông yên tĩnh hơn mọi ngày. Bà cụ bán trái cây ngồi trò chuyện với người "
        "hàng xóm, còn lũ trẻ chạy chơi gần cây cầu gỗ. Đến trưa thì trời đổ mưa lớn, ai cũng vội "
        "vàng trở về nhà và chờ nắng lên."
    ),
    "japanese": (
        "今朝の市場はいつもより静かだった。果物を売るおばあさんは店先に座り、隣の人とゆっくり話している。"
        "川のそばでは子どもたちが走り回り、古い木の橋の上で犬が眠っていた。昼すぎに雨が降り出したので、"
        "みんな急いで家に帰り、空が晴れるのを待った。"
    ),
    "chinese": (
        "今天早上市场比平时安静得多。卖水果的老奶奶坐在门口，跟邻居慢慢聊天。河边有几个孩子跑来跑去，"
        "一只小狗在旧木桥上睡着了。中午忽然下起大雨，大家都赶紧回家，等着天气变晴。"
    ),
    "taiwanese": (
        "今天早上市場比平常安靜許多。賣水果的老奶奶坐在門口，跟鄰居慢慢聊天。河邊有幾個孩子跑來跑去，"
        "一隻小狗在舊木橋上睡著了。中午忽然下起大雨，大家都趕緊回家，等著天氣變晴。"
    ),
    "korean": (
        "오늘 아침 시장은 여느 때보다 조용했다. 과일을 파는 할머니는 가게 앞에 앉아 이웃과 "
        "천천히 이야기를 나누었다. 강가에서는 아이들이 뛰어놀고 낡은 나무다리 위에서 개 한 마리가 "
        "잠을 잤다. 점심때 비가 쏟아지자 모두 서둘러 집으로 돌아갔다."
    ),
}


@dataclass(frozen=True)
class Sample:
    """A language in an encoding; ``label`` is what an honest page would call it."""

    language: str
    codec: str
    label: str

    @property
    def id(self) -> str:
        return f"{self.language}-{self.codec}"


SAMPLES = tuple(
    Sample(language, codec, label or codec)
    for language, codec, label in (
        ("german", "utf-8", ""),
        ("russian", "utf-8", ""),
        ("japanese", "utf-8", ""),
        ("russian", "utf-16-le", "utf-16"),
        ("german", "utf-16-be", "utf-16"),
        ("chinese", "gbk", ""),
        ("chinese", "gb18030", ""),
        ("taiwanese", "big5", ""),
        ("japanese", "shift_jis", ""),
        ("japanese", "euc-jp", ""),
        ("japanese", "iso-2022-jp", ""),
        ("korean", "euc-kr", ""),
        ("polish", "cp1250", "windows-1250"),
        ("czech", "cp1250", "windows-1250"),
        ("hungarian", "cp1250", "windows-1250"),
        ("russian", "cp1251", "windows-1251"),
        ("ukrainian", "cp1251", "windows-1251"),
        ("bulgarian", "cp1251", "windows-1251"),
        ("german", "cp1252", "windows-1252"),
        ("french", "cp1252", "windows-1252"),
        ("spanish", "cp1252", "windows-1252"),
        ("greek", "cp1253", "windows-1253"),
        ("turkish", "cp1254", "windows-1254"),
        ("hebrew", "cp1255", "windows-1255"),
        ("arabic", "cp1256", "windows-1256"),
        ("lithuanian", "cp1257", "windows-1257"),
        ("latvian", "cp1257", "windows-1257"),
        ("vietnamese", "cp1258", "windows-1258"),
        ("russian", "koi8-r", ""),
        ("ukrainian", "koi8-u", ""),
        ("polish", "iso8859-2", "iso-8859-2"),
        ("czech", "iso8859-2", "iso-8859-2"),
        ("hungarian", "iso8859-2", "iso-8859-2"),
        ("russian", "iso8859-5", "iso-8859-5"),
        ("greek", "iso8859-7", "iso-8859-7"),
        ("turkish", "iso8859-9", "iso-8859-9"),
        ("french", "iso8859-15", "iso-8859-15"),
        ("thai", "cp874", "windows-874"),
        ("russian", "cp866", "ibm866"),
    )
)
