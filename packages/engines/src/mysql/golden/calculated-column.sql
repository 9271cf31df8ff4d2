SELECT (CASE WHEN `Horsepower` >= 150 THEN 'high' WHEN `Horsepower` IS NOT NULL THEN 'low' END) AS `hp_class`,
       COUNT(*) AS `count`
FROM `cars`
GROUP BY (CASE WHEN `Horsepower` >= 150 THEN 'high' WHEN `Horsepower` IS NOT NULL THEN 'low' END)
ORDER BY `hp_class` IS NULL DESC, `hp_class` DESC
LIMIT 50000;
-- []
